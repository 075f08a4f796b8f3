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

/** A proxy may throw when its class is read. */
export function isSerializationError(thrown: unknown): thrown is SerializationError {
  try {
    return thrown instanceof SerializationError;
  } catch {
    return false;
  }
}

/** Whether the stack was too small for a deep value. Engines have a text for this error, but no class. */
export function isStackOverflow(thrown: unknown): boolean {
  try {
    return thrown instanceof RangeError && /call stack/i.test(thrown.message);
  } catch {
    return false;
  }
}

/** The message of an error, or the description of another thrown value. */
export function describeThrown(thrown: unknown): string {
  try {
    if (thrown instanceof Error && typeof thrown.message === 'string') return thrown.message;
  } catch {
    // Its message cannot be read.
  }
  return describe(thrown);
}

/** A short text for any value, even one that throws when it is read. */
export function describe(value: unknown): string {
  if (typeof value === 'symbol') return value.toString();
  const text = textOf(value);
  return `"${text.length > 100 ? `${text.slice(0, 100)}…` : text}"`;
}

function textOf(value: unknown): string {
  try {
    return String(value);
  } catch {
    return tagOf(value);
  }
}

function tagOf(value: unknown): string {
  try {
    return Object.prototype.toString.call(value);
  } catch {
    return `[${typeof value}]`;
  }
}
