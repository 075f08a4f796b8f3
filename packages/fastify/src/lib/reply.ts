/** The deep import `fastify/lib/reply`: a constructor of replies to requests that middlewares answer. */
import { type Context, type Logger, type Reply as PublicReply, type Request, replyTo } from 'ambit';

/** What the constructor reads of the request that it is given. */
interface RawExchange {
  raw: Request['raw'];
  server: Context;
}

/** Called with `new`, as the adapter of Nest does. */
function Reply(rawResponse: PublicReply['raw'], { raw, server }: RawExchange, log: Logger): PublicReply {
  return Object.assign(replyTo(server, raw, rawResponse), { log });
}

export default Reply;
export { Reply as 'module.exports' };
