/** The public API of the package: `attach` and its types. */
export type { AnswerFields, FieldValue } from './answer/field-lines.ts';
export { type AttachOptions, attach, type Engine, engineOf } from './attach.ts';
export type { ConnectionState } from './connection/phases.ts';
export type { Counters } from './counters.ts';
export { Exchange, type Payload } from './exchange/exchange.ts';
export { BodyTooLong, ClientGone } from './exchange/through-node.ts';
export { hasValidHost, takeTargetHost } from './exchange/valid-host.ts';
export type { GrammarReason, HandOverReason, WatchReason } from './grammar/reasons.ts';
