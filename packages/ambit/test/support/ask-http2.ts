/** One GET request over HTTP/2, on a connection of its own. */
import { once } from 'node:events';
import { connect, type IncomingHttpHeaders, type IncomingHttpStatusHeader } from 'node:http2';
import { text } from 'node:stream/consumers';

export async function askHttp2(url: string): Promise<{ status: number; body: string }> {
  const { origin, pathname } = new URL(url);
  const session = connect(origin);
  session.on('error', () => {});
  try {
    const stream = session.request({ ':path': pathname });
    const received = once(stream, 'response') as Promise<[IncomingHttpHeaders & IncomingHttpStatusHeader]>;
    const [[headers], body] = await Promise.all([received, text(stream)]);
    return { status: headers[':status']!, body };
  } finally {
    session.destroy();
  }
}
