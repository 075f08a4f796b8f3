/** The deep import `fastify/lib/symbols`: the keys that adapters read. Only the key of the serializer has a value in Ambit. */
const symbols: Readonly<Record<'kReplySerializer' | 'kRouteContext' | 'kErrorHandler', symbol>> = {
  /** On a reply: the function that was passed to `reply.serializer()`, if any. */
  kReplySerializer: Symbol.for('fastify.reply.serializer'),
  kRouteContext: Symbol.for('fastify.context'),
  kErrorHandler: Symbol.for('fastify.errorHandler'),
};

export default symbols;
export { symbols as 'module.exports' };
