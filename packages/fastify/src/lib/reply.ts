/** The deep import `fastify/lib/reply`: a constructor of replies, for requests to which middlewares reply. */
import { type Context, type Logger, type Reply as PublicReply, type Request, replyTo } from 'ambit';

/** The properties of the request that the constructor reads. */
interface RawExchange {
  raw: Request['raw'];
  server: Context;
}

/** Must also work with `new`, because the adapter of Nest uses it. */
function Reply(rawResponse: PublicReply['raw'], { raw, server }: RawExchange, log: Logger): PublicReply {
  return Object.assign(replyTo(server, raw, rawResponse), { log });
}

export default Reply;
export { Reply as 'module.exports' };
