/** An error that the user can correct: its message is all that the program prints of it. */
export class UsageError extends Error {
  override name = 'UsageError';
}
