/** Emits a warning on the process, which prints it. */

/** @param details `detail` is printed below the message. */
export function emitWarning(
  message: string,
  details: { readonly type: string; readonly code: string; readonly detail?: string },
): void {
  process.emitWarning(message, details);
}
