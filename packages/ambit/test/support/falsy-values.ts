/** Values that fail a step although `if (error)` takes them for success. */
export const falsyValues: readonly [what: string, value: unknown][] = [
  ['false', false],
  ['0', 0],
  ['an empty string', ''],
  ['NaN', Number.NaN],
  ['a BigInt of 0', 0n],
];
