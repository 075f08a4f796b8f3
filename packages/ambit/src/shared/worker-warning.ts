/** Stands in for emit-warning.ts: workers do not print the warnings of the process. */

export function emitWarning(
  message: string,
  { type, code }: { readonly type: string; readonly code: string },
): void {
  console.warn(`[${code}] ${type}: ${message}`);
}
