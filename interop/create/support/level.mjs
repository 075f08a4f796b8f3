// CI creates one application of each kind that differs, and `npm run nightly` all of them (TEST_LEVEL).

/** @returns The cases that this run tries: all of them, or those that have `inCi`. */
export function casesOfLevel(cases) {
  return process.env.TEST_LEVEL === 'nightly' ? cases : cases.filter(({ inCi }) => inCi);
}
