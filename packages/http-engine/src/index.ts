/** The public API of the package: `attach` and its types. */
export type { AnswerFields, FieldValue } from './answer-head.ts';
export { type AttachOptions, attach, type Engine, engineOf } from './attach.ts';
export type { Counters } from './engine.ts';
export { Exchange, type Payload } from './exchange.ts';
export type { ConnectionState } from './limits.ts';
export type { GrammarReason, HandOverReason, WatchReason } from './reasons.ts';
export { BodyTooLong, ClientGone, hasValidHost, takeTargetHost } from './through-node.ts';
