// Owns one try of one plugin: whether an application that uses it does what the plugin is for.

/** A try that takes longer hangs. */
const longestMs = 30_000;

/**
 * @param entry `check` sends requests, and throws if a response is not what the documentation of the plugin says.
 * @param serve Sets the application up and serves it: returns how to send requests to it.
 * @returns {Promise<string | null>} The error; `null` if the plugin runs.
 */
export async function tryPlugin(entry, serve) {
  let timer;
  const hangs = new Promise((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('it hangs')), longestMs);
  });
  const run = async () => {
    const { ask, ...served } = await serve();
    await entry.check(ask, served);
  };
  try {
    await Promise.race([run(), hangs]);
    return null;
  } catch (error) {
    return `${error.code ?? error.name}: ${error.message}`;
  } finally {
    clearTimeout(timer);
  }
}
