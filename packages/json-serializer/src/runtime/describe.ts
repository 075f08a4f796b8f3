/** Owns the short description of a value in an error message. Whatever the value is: one that throws when it is read, too. */

export function describe(value: unknown): string {
  if (typeof value === 'symbol') return value.toString();
  const text = textOf(value);
  return `"${text.length > 100 ? `${text.slice(0, 100)}…` : text}"`;
}

/** The message of an error, the description of anything else that was thrown. */
export function describeThrown(error: unknown): string {
  try {
    if (error instanceof Error && typeof error.message === 'string') return error.message;
  } catch {
    // It has a message that cannot be read.
  }
  return describe(error);
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
