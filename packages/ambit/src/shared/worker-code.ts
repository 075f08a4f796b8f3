/** Stands in for may-generate-code.ts: workers forbid it in requests, and boot ends in the first one. */

export function mayGenerateCode(): boolean {
  return false;
}
