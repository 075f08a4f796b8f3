/** Replaces may-generate-code.ts in the build for workers: they forbid code generation in requests, and boot ends in the first request. */

export function mayGenerateCode(): boolean {
  return false;
}
