// Serves an application with `app.fetch`, which the server of the runtime calls.
import { sendTo } from './send-requests.mjs';

/** Each starts a server, and returns its port and how to stop it. */
const servers = {
  async bun(app) {
    const server = globalThis.Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: app.fetch });
    return { port: server.port, stop: () => server.stop(true) };
  },
  async deno(app) {
    const options = { port: 0, hostname: '127.0.0.1', onListen() {} };
    const server = globalThis.Deno.serve(options, app.fetch);
    return { port: server.addr.port, stop: () => server.shutdown() };
  },
};

export async function serveByFetch(app, runtime) {
  await app.ready();
  const { port, stop } = await servers[runtime](app);
  return { ...sendTo(`http://127.0.0.1:${port}`), stop };
}
