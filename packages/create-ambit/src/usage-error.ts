/** An error that the user can correct. The program prints only its message. */
export class UsageError extends Error {
  override name = 'UsageError';
}
