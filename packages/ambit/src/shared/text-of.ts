/** Owns the text of values that nobody vouches for: what was thrown, what a method was given. Reading them may throw. */

/** A property of any value; `undefined` where it throws when it is read. */
export function readField(value: unknown, name: string): unknown {
  try {
    return (Object(value) as Record<string, unknown>)[name];
  } catch {
    return undefined;
  }
}

/** The text of any value; of one that has none, its type. */
export function textOf(value: unknown): string {
  try {
    return String(value);
  } catch {
    return `[${typeof value}]`;
  }
}

/** The message of an error; of anything else that was thrown, its text. */
export function messageOf(thrown: unknown): string {
  const message = readField(thrown, 'message');
  return typeof message === 'string' ? message : textOf(thrown);
}
