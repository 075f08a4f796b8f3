/** Replaces emit-warning.ts in the build for workers, because they do not print warnings of the process. */

export function emitWarning(
  message: string,
  { type, code, detail }: { readonly type: string; readonly code: string; readonly detail?: string },
): void {
  console.warn(`[${code}] ${type}: ${message}${detail === undefined ? '' : `\n${detail}`}`);
}
