/** Owns the short description of a value in an error message. */

export function describe(value: unknown): string {
  if (typeof value === 'symbol') return value.toString();
  let text: string;
  try {
    text = String(value);
  } catch {
    text = Object.prototype.toString.call(value);
  }
  return `"${text.length > 100 ? `${text.slice(0, 100)}…` : text}"`;
}
