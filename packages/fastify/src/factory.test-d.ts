/** The factory: its names, its options, and what it gives for each kind of server. */
import type { Http2SecureServer, Http2Server, Http2ServerRequest } from 'node:http2';
import type { Server } from 'node:https';
import type { Context, Reply, Request } from 'ambit';
import * as everything from 'fastify';
import defaultExport, {
  errorCodes,
  type FastifyBaseLogger,
  type FastifyHttp2SecureOptions,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  fastify,
  LogController,
} from 'fastify';

const app: FastifyInstance = fastify();
defaultExport();
everything.fastify();
everything.default({ logger: true });
fastify.default(fastify.fastify({}).initialConfig.http2 ? {} : { logger: false });

const secure = fastify({ http2: true, https: {} });
const rawServer: Http2SecureServer = secure.server;
secure.get('/', ({ raw }): Http2ServerRequest => raw);
const clear: Http2Server = fastify({ http2: true }).server;
const https: Server = fastify({ https: {} }).server;
const given: FastifyHttp2SecureOptions<Http2SecureServer> = { http2: true, https: { allowHTTP1: true } };
fastify(given);

const options: FastifyServerOptions = {
  compile: 'background',
  compiled: {},
  bodyLimit: 1,
  multipart: { fileSize: 1, memorySize: 0, folder: '/tmp' },
  errors: 'problem',
  forceCloseConnections: 'idle',
  trustProxy: ['10.0.0.0/8'],
  routerOptions: { caseSensitive: false, querystringParser: () => ({}) },
  ajv: { customOptions: { coerceTypes: 'array' }, plugins: [] },
  genReqId: ({ url = '' }) => url,
  rewriteUrl({ url = '/' }) {
    this.log.info(url);
    return url;
  },
};
fastify(options);
// @ts-expect-error: a number of bytes.
fastify({ bodyLimit: '1mb' });
// @ts-expect-error: the limit does not exist.
fastify({ multipart: { filesize: 1 } });
// @ts-expect-error: the option does not exist.
fastify({ bodylimit: 1 });
// @ts-expect-error: a logger must have a method for each level.
fastify({ loggerInstance: { info() {} } });

class Quiet extends LogController {
  override isLogDisabled(request: FastifyRequest): boolean {
    return request.url === '/health';
  }
}
fastify({ logController: new Quiet({ requestIdLogLabel: 'id' }) });

const error: Error = new errorCodes.FST_ERR_BAD_URL('/%');
error instanceof errorCodes.FST_ERR_BAD_URL;
// @ts-expect-error: the error catalogue does not contain this code.
errorCodes.FST_ERR_NO_SUCH_THING;

// The type of an existing logger is kept.
interface Mine extends FastifyBaseLogger {
  audit(text: string): void;
}
declare const mine: Mine;
fastify({ loggerInstance: mine }).log.audit('kept');

app
  .decorate('answer', 42)
  .decorateRequest('user', null)
  .decorateReply('now', { getter: () => Date.now() });
app.decorate('later', function (this: FastifyInstance) {
  return this.prefix;
});
app.inject({ method: 'GET', url: '/' }).then(({ statusCode }) => statusCode.toFixed());
app.inject().get('/').headers({ accept: 'text/html' }).end();
app.listen({ port: 0, host: '::1' }, (failure, address) => failure?.message ?? address.trim());
await app.register(async () => {});
await app.after();
await app.close();

// The objects of `ambit` have all declared members, because the facade adds nothing at run time. Exceptions: methods that
// `addHttpMethod` may add, members that other tests declare, and `request.req`, which was removed in Fastify 4.
type Added = 'search' | 'report' | 'copy' | 'move' | 'lock' | 'unlock';
type AddedForDav = 'mkcol' | 'mkcalendar' | 'propfind' | 'proppatch';
type Augmented = 'store' | 'verifyBearerAuth' | 'verifyBearerAuthFactory' | 'tenant' | 'html';
type Known = Added | AddedForDav | Augmented | 'req';
[] as Exclude<keyof FastifyInstance, keyof Context | Known>[] satisfies never[];
[] as Exclude<keyof FastifyRequest, keyof Request | Known>[] satisfies never[];
[] as Exclude<keyof FastifyReply, keyof Reply | Known>[] satisfies never[];

export { clear, https, rawServer };
