/** Tells that the stack was too short for a deep value: engines have a text for it, but no class. */

export function isStackOverflow(error: unknown): boolean {
  try {
    return error instanceof RangeError && /call stack/i.test(error.message);
  } catch {
    // A value that cannot be read was thrown.
    return false;
  }
}
