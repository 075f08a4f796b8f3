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

/** The error of a declaration, and the context that it names. */
export async function declarationErrorOf(boot) {
  try {
    await boot();
    return { code: 'no error' };
  } catch ({ code, where }) {
    return { code, plugin: where.plugin };
  }
}

/** The error of an application whose schemas cannot be compiled, and whether it names the route. */
export async function schemaErrorOf(app) {
  const error = await app.ready().then(
    () => new Error('no error'),
    (reason) => reason,
  );
  return { code: error.code, route: error.where?.route, part: error.where?.part };
}
