// CI tries one case of each kind that differs, and `npm run nightly` all of them (TEST_LEVEL).

export const isNightly = process.env.TEST_LEVEL === 'nightly';

/** @returns The cases that this run tries: all of them, or those that have `inCi`. */
export function casesOfLevel(cases) {
  return isNightly ? cases : cases.filter(({ inCi }) => inCi);
}
