// Owns one try of one plugin: an application that uses it, and whether the plugin does what it is for.

/** A try that takes longer hangs. */
const longestMs = 30_000;

/**
 * @param entry `setUp` registers the plugin and adds routes; `check` sends requests, and throws if a response is not what
 *   the documentation of the plugin says.
 * @param serve Serves the application: returns how to send requests to it, and how to stop.
 * @returns {Promise<string | null>} The error; `null` if the plugin runs.
 */
export async function tryPlugin(entry, app, serve, surroundings) {
  let served;
  let timer;
  const hangs = new Promise((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('it hangs')), longestMs);
  });
  const run = async () => {
    entry.setUp(app, surroundings);
    served = await serve(app);
    await entry.check(served.ask, served);
  };
  try {
    await Promise.race([run(), hangs]);
    return null;
  } catch (error) {
    return `${error.code ?? error.name}: ${error.message}`;
  } finally {
    clearTimeout(timer);
    await app.close().catch(() => {});
  }
}

/** By `app.fetch`, whose first call boots the application. */
export async function serveByFetch(app) {
  await app.ready();
  const ask = (path, init) => app.fetch(new Request(`http://localhost${path}`, init));
  const raw = async (path, init) => {
    const response = await ask(path, init);
    const body = Buffer.from(await response.arrayBuffer());
    return { status: response.status, headers: Object.fromEntries(response.headers), body };
  };
  return { ask, raw, origin: undefined };
}
