// Serves an application with `listen`, which `app.close` stops.
import { sendTo } from './send-requests.mjs';

export async function serveByListen(app) {
  return sendTo(await app.listen({ host: '127.0.0.1', port: 0 }));
}
