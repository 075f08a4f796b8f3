/** The errors of replies. */

import type { ErrorClass } from '../../shared/coded-error.ts';
import { defineError } from '../../shared/define-error.ts';

/** The payload cannot be written, and the Content-Type is not JSON. */
export const PayloadTypeInvalid: ErrorClass<[received: string]> = defineError({
  code: 'FST_ERR_REP_INVALID_PAYLOAD_TYPE',
  message: "Attempted to send payload of invalid type '%s'. Expected a string or Buffer.",
  base: TypeError,
});
/** An async iterable was sent, and the response has no item schema. As JSON it would be an empty object. */
export const AsyncIterableSent: ErrorClass<[]> = defineError({
  code: 'AMBIT_ERR_ASYNC_ITERABLE_SENT',
  message:
    'An async iterable, such as the result of an async generator, cannot be serialized: declare an `itemSchema` for its status and media type, send `Readable.from(iterable)` of node:stream, or collect its values',
  base: TypeError,
});
/** The response schemas of the route do not declare the status or the media type, and the application has `responses: 'declared'`. */
export const ResponseUndeclared: ErrorClass<[route: string, response: string]> = defineError({
  code: 'AMBIT_ERR_RESPONSE_UNDECLARED',
  message: '%s replied with %s, which its response schemas do not declare',
  hint: 'declare a schema for this status and media type in `schema.response`',
});
/** The response has only an item schema, and what was sent is no async iterable. */
export const ItemsExpected: ErrorClass<[status: string, mediaType: string]> = defineError({
  code: 'AMBIT_ERR_ITEMS_EXPECTED',
  message:
    'The response %s (%s) has an item schema and no schema for a whole value: return an async iterable, or declare a `schema` beside the `itemSchema`',
  base: TypeError,
});
/** An item of a stream does not fit the item schema; the `cause` is the error of the serializer. */
export const ItemInvalid: ErrorClass<[index: number, route: string, reason: string]> = defineError({
  code: 'AMBIT_ERR_ITEM_INVALID',
  message: 'item %s of the stream of %s does not fit its schema: %s',
});
/** A field of an event has a value that cannot be sent; this is the `cause` of `AMBIT_ERR_ITEM_INVALID`. */
export const EventInvalid: ErrorClass<[problem: string]> = defineError({
  code: 'AMBIT_ERR_EVENT_INVALID',
  message: '%s',
  base: TypeError,
});
/** The application closes: the reason of `request.signal` in a handler that streams, and the reply of one that has sent nothing yet. */
export const StreamClosing: ErrorClass<[]> = defineError({
  code: 'AMBIT_ERR_STREAM_CLOSING',
  status: 503,
  message: 'The application is closing',
});
/** A streamed payload is longer or shorter than the Content-Length of its reply. The response is cut off. */
export const StreamLengthMismatch: ErrorClass<[declaredBytes: number, written: string]> = defineError({
  code: 'AMBIT_ERR_STREAM_LENGTH_MISMATCH',
  message:
    'The reply declares a content-length of %s bytes, and its stream has %s: leave the header out, or set the length of the stream',
});
/** The body of a `Response` was already read. */
export const ResponseBodyConsumed: ErrorClass<[]> = defineError({
  code: 'FST_ERR_REP_RESPONSE_BODY_CONSUMED',
  message: 'Response.body is already consumed.',
});
/** Something else reads the web stream that was sent. */
export const ReadableStreamLocked: ErrorClass<[]> = defineError({
  code: 'FST_ERR_REP_READABLE_STREAM_LOCKED',
  message: 'ReadableStream was locked. You should call releaseLock() method on reader before sending.',
});
/** A second reply was sent, for example because an async handler did not `return reply`. */
export const ReplyAlreadySent: ErrorClass<[url: string, method: string]> = defineError({
  code: 'FST_ERR_REP_ALREADY_SENT',
  message: 'Reply was already sent, did you forget to "return reply" in "%s" (%s)?',
});
/** Reserved; Ambit does not use it. */
export const SentValueInvalid: ErrorClass<[]> = defineError({
  code: 'FST_ERR_REP_SENT_VALUE',
  message: 'The only possible value for reply.sent is true.',
  base: TypeError,
});
/** An `onError` hook called `reply.send`. */
export const SendInsideOnError: ErrorClass<[]> = defineError({
  code: 'FST_ERR_SEND_INSIDE_ONERR',
  message: 'You cannot use `send` inside the `onError` hook',
});
/** A hook or a parser threw `undefined`, or passed `false`, `0` or `''` to `done`; the `cause` is that value. */
export const UndefinedError: ErrorClass<[]> = defineError({
  code: 'FST_ERR_SEND_UNDEFINED_ERR',
  message: 'Undefined error has occurred',
});
/** The status is not a final one, between 200 and 599. */
export const StatusCodeInvalid: ErrorClass<[received: unknown]> = defineError({
  code: 'FST_ERR_BAD_STATUS_CODE',
  message: 'Called reply with an invalid status code: %s',
});
/** `reply.redirect` got a value that cannot be converted to text. */
export const RedirectUrlInvalid: ErrorClass<[received: string]> = defineError({
  code: 'AMBIT_ERR_REDIRECT_URL',
  message: 'reply.redirect() got a URL that cannot be converted to text: %s',
  base: TypeError,
});
/** The header is not allowed as a trailer. */
export const TrailerNameInvalid: ErrorClass<[name: string]> = defineError({
  code: 'FST_ERR_BAD_TRAILER_NAME',
  message: 'Called reply.trailer with an invalid header name: %s',
});
/** The value of a trailer is not a function. */
export const TrailerValueInvalid: ErrorClass<[name: string, received: string]> = defineError({
  code: 'FST_ERR_BAD_TRAILER_VALUE',
  message: "Called reply.trailer('%s', fn) with an invalid type: %s. Expected a function.",
});
/** The response schema for the status of an error could not serialize the error. */
export const ErrorSerializationFailed: ErrorClass<[reason: string, original: string]> = defineError({
  code: 'FST_ERR_FAILED_ERROR_SERIALIZATION',
  message: 'Failed to serialize an error. Error: %s. Original error: %s',
});
/** `serializeInput` got a status or a media type without a schema. */
export const SerializerMissing: ErrorClass<[status: unknown]> = defineError({
  code: 'FST_ERR_MISSING_SERIALIZATION_FN',
  message: 'Missing serialization function. Key "%s"',
});
/** `serializeInput` got a status or a media type without a schema. */
export const ContentSerializerMissing: ErrorClass<[status: unknown, mediaType: string]> = defineError({
  code: 'FST_ERR_MISSING_CONTENTTYPE_SERIALIZATION_FN',
  message: 'Missing serialization function. Key "%s:%s"',
});
/** Reserved; Ambit does not use it. */
export const MiddlewareMissing: ErrorClass<[]> = defineError({
  code: 'FST_ERR_MISSING_MIDDLEWARE',
  message: 'Register a plugin for middlewares first, such as @fastify/express or @fastify/middie',
  ecosystemMessage:
    'You must register a plugin for handling middlewares, visit fastify.dev/docs/latest/Reference/Middleware/ for more info.',
});
