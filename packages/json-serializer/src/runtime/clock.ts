/** The facts about a Date's clock value: milliseconds since 1970 (ECMA-262, 21.4.1). */

export const dayMs = 86_400_000;
const firstMs = -62_167_219_200_000;
const lastMs = 253_402_300_799_999;

/** Whether ISO 8601 writes the date with a year of four digits: 0000-01-01 to 9999-12-31. False for an invalid date. */
export function hasPlainYear(ms: number): boolean {
  return ms >= firstMs && ms <= lastMs;
}
