/** The error of a value that cannot be written. */

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

/** Whether a thrown value is one of these errors. A proxy may throw when its class is read. */
export function isSerializationError(thrown: unknown): thrown is SerializationError {
  try {
    return thrown instanceof SerializationError;
  } catch {
    return false;
  }
}
