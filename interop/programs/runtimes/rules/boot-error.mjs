// Owns rules about boot, shown by a request: a route boots another application and answers with its error.

/** @param {() => unknown} boot Makes an application that cannot boot. */
export async function bootErrorOf(boot) {
  try {
    await boot();
    return { code: 'no error' };
  } catch ({ code }) {
    return { code };
  }
}
