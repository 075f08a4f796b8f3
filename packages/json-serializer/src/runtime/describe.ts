/** Describes a value briefly in an error message. This works for every value, even one that throws when it is read. */

export function describe(value: unknown): string {
  if (typeof value === 'symbol') return value.toString();
  const text = textOf(value);
  return `"${text.length > 100 ? `${text.slice(0, 100)}…` : text}"`;
}

/** The message of an error, or the description of another thrown value. */
export function describeThrown(error: unknown): string {
  try {
    if (error instanceof Error && typeof error.message === 'string') return error.message;
  } catch {
    // Its message cannot be read.
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
