/** Detects that the stack was too small for a deep value. Engines have a text for this error, but no class. */

export function isStackOverflow(error: unknown): boolean {
  try {
    return error instanceof RangeError && /call stack/i.test(error.message);
  } catch {
    // The thrown value cannot be read.
    return false;
  }
}
