/** Sends the same request over every wire on which a request can reach an application. */
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect as connectHttp2, type IncomingHttpHeaders } from 'node:http2';
import { request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import type { AmbitOptions, Context } from 'ambit';
import { cert, key } from '../../../ambit/test/fixtures/certificate.ts';
import { portOf, servePort } from '../../../ambit/test/support/serve.ts';

export interface TestRequest {
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface TestResponse {
  status: number;
  body: string;
}

export interface Wire {
  readonly options: AmbitOptions;
  /** Sends one request over a new connection. */
  send(app: Context, request?: TestRequest): Promise<TestResponse>;
}

const tls = { key, cert };

/** The port of an application, which begins to listen at the first request. */
async function portFor(app: Context): Promise<number> {
  return app.server.listening ? portOf(app) : servePort(app);
}

async function sendHttp1(
  request: typeof httpRequest,
  app: Context,
  { method = 'GET', path = '/', headers = {}, body }: TestRequest = {},
): Promise<TestResponse> {
  const target = { host: '127.0.0.1', port: await portFor(app), servername: 'localhost', ca: cert };
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  const outgoing = request({ ...target, agent: false, method, path, headers: { ...headers, ...length } });
  outgoing.end(body);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  return { status: response.statusCode!, body: await text(response) };
}

async function sendHttp2(
  scheme: 'http' | 'https',
  app: Context,
  { method = 'GET', path = '/', headers = {}, body }: TestRequest = {},
): Promise<TestResponse> {
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
  const response = { status: received[':status'], body: await text(stream) };
  session.close();
  return response;
}

async function sendInject(
  app: Context,
  { method = 'GET', path = '/', headers = {}, body }: TestRequest = {},
): Promise<TestResponse> {
  const reply = await app.inject({
    method,
    url: path,
    headers,
    ...(body !== undefined && { payload: body }),
  });
  return { status: reply.statusCode, body: reply.body };
}

export const wires: Readonly<Record<string, Wire>> = {
  http: { options: {}, send: (app, request) => sendHttp1(httpRequest, app, request) },
  https: { options: { https: tls }, send: (app, request) => sendHttp1(httpsRequest as never, app, request) },
  'http2 in clear text': {
    options: { http2: true },
    send: (app, request) => sendHttp2('http', app, request),
  },
  'http2 over TLS': {
    options: { http2: true, https: tls },
    send: (app, request) => sendHttp2('https', app, request),
  },
  'HTTP/1.1 on an http2 server': {
    options: { http2: true, https: { ...tls, allowHTTP1: true } },
    send: (app, request) => sendHttp1(httpsRequest as never, app, request),
  },
  inject: { options: {}, send: sendInject },
};
