/** Every way in which a request can reach an application, each asked the same. */
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect as connectHttp2, type IncomingHttpHeaders } from 'node:http2';
import { request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import type { AmbitOptions, Context } from 'ambit';
import { cert, key } from '../../../ambit/test/fixtures/certificate.ts';
import { portOf, servePort } from '../../../ambit/test/support/serve.ts';

export interface Question {
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface Answer {
  status: number;
  body: string;
}

export interface Wire {
  readonly options: AmbitOptions;
  /** Sends one request on a connection of its own. */
  ask(app: Context, question?: Question): Promise<Answer>;
}

const tls = { key, cert };

/** The port of an application that listens from its first question on. */
async function portFor(app: Context): Promise<number> {
  return app.server.listening ? portOf(app) : servePort(app);
}

async function askHttp1(
  request: typeof httpRequest,
  app: Context,
  { method = 'GET', path = '/', headers = {}, body }: Question = {},
): Promise<Answer> {
  const target = { host: '127.0.0.1', port: await portFor(app), servername: 'localhost', ca: cert };
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  const outgoing = request({ ...target, agent: false, method, path, headers: { ...headers, ...length } });
  outgoing.end(body);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  return { status: response.statusCode!, body: await text(response) };
}

async function askHttp2(
  scheme: 'http' | 'https',
  app: Context,
  { method = 'GET', path = '/', headers = {}, body }: Question = {},
): Promise<Answer> {
  const session = connectHttp2(`${scheme}://localhost:${await portFor(app)}`, {
    ca: cert,
    host: '127.0.0.1',
  });
  const stream = session.request(
    { ':method': method, ':path': path, ...headers },
    { endStream: body === undefined },
  );
  stream.end(body);
  const [received] = (await once(stream, 'response')) as [IncomingHttpHeaders & { ':status': number }];
  const answer = { status: received[':status'], body: await text(stream) };
  session.close();
  return answer;
}

async function askInject(
  app: Context,
  { method = 'GET', path = '/', headers = {}, body }: Question = {},
): Promise<Answer> {
  const reply = await app.inject({
    method,
    url: path,
    headers,
    ...(body !== undefined && { payload: body }),
  });
  return { status: reply.statusCode, body: reply.body };
}

export const wires: Readonly<Record<string, Wire>> = {
  http: { options: {}, ask: (app, question) => askHttp1(httpRequest, app, question) },
  https: { options: { https: tls }, ask: (app, question) => askHttp1(httpsRequest as never, app, question) },
  'http2 in clear text': {
    options: { http2: true },
    ask: (app, question) => askHttp2('http', app, question),
  },
  'http2 over TLS': {
    options: { http2: true, https: tls },
    ask: (app, question) => askHttp2('https', app, question),
  },
  'HTTP/1.1 on an http2 server': {
    options: { http2: true, https: { ...tls, allowHTTP1: true } },
    ask: (app, question) => askHttp1(httpsRequest as never, app, question),
  },
  inject: { options: {}, ask: askInject },
};
