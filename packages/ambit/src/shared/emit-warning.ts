/** Emits a warning on the process, which prints it. */

export function emitWarning(
  message: string,
  details: { readonly type: string; readonly code: string },
): void {
  process.emitWarning(message, details);
}
