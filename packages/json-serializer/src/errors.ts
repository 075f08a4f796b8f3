/** The error of a value that cannot be written, its texts, and what can be read of any thrown value. */

// It has no `code`, because servers send the message and code of an error to clients, which know nothing about serializers.

/**
 * The value cannot be written as its schema says; raised by a compiled serializer. Nothing was written. The path is not part of
 * the message.
 */
export class SerializationError extends TypeError {
  /** JSON Pointer (RFC 6901) of the offending place inside the value; empty for the value itself. */
  readonly path: string;

  /**
   * @param message What is wrong with the value.
   * @param path JSON Pointer of the place inside the value. Default: the value itself.
   * @param cause The original error.
   */
  constructor(message: string, path = '', cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'SerializationError';
    this.path = path;
  }
}

// Compiled serializers call these. The errors have no path yet: `locateError` finds it later.

export function failRequired(name: string): never {
  throw new SerializationError(`"${name}" is required!`);
}

export function failMatch(schemaPath: string): never {
  throw new SerializationError(`The value of '${asReference(schemaPath)}' does not match schema definition.`);
}

export function failItem(index: number): never {
  throw new SerializationError(`Item at ${index} does not match schema definition.`);
}

export function failNever(schemaPath: string): never {
  throw new SerializationError(`The schema '${asReference(schemaPath)}' allows no value.`);
}

export function failUndefined(): never {
  throw new SerializationError('undefined cannot be written as JSON');
}

/** A pointer into the root schema gets a `#`, as pointers into other schemas have one. */
function asReference(schemaPath: string): string {
  return schemaPath === '' || schemaPath[0] === '/' ? `#${schemaPath}` : schemaPath;
}

// A value may throw when it is read, for example a proxy whose class is asked for.

export function isSerializationError(thrown: unknown): thrown is SerializationError {
  return attempt(() => thrown instanceof SerializationError) === true;
}

/** Whether the stack was too small for a deep value. Engines have a text for this error, but no class. */
export function isStackOverflow(thrown: unknown): boolean {
  return attempt(() => thrown instanceof RangeError && /call stack/i.test(thrown.message)) === true;
}

/** The message of an error, or the description of another thrown value. */
export function describeThrown(thrown: unknown): string {
  const message = attempt(() => (thrown instanceof Error ? thrown.message : undefined));
  return typeof message === 'string' ? message : describe(thrown);
}

/** A short text for any value. */
export function describe(value: unknown): string {
  if (typeof value === 'symbol') return value.toString();
  const tag = () => Object.prototype.toString.call(value);
  const text = attempt(() => String(value)) ?? attempt(tag) ?? `[${typeof value}]`;
  return `"${text.length > 100 ? `${text.slice(0, 100)}…` : text}"`;
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
