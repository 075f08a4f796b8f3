/** The deep import `fastify/lib/symbols`: the keys that adapters read, of which only the serializer's has a value here. */
const symbols: Readonly<Record<'kReplySerializer' | 'kRouteContext' | 'kErrorHandler', symbol>> = {
  /** On a reply: the function given to `reply.serializer()`, if there is one. */
  kReplySerializer: Symbol.for('fastify.reply.serializer'),
  kRouteContext: Symbol.for('fastify.context'),
  kErrorHandler: Symbol.for('fastify.errorHandler'),
};

export default symbols;
export { symbols as 'module.exports' };
