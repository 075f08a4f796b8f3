/** What each hook is given, and how it answers. Who takes part is for the context to say. */
import type { BodyStream } from './body.ts';
import type { Done, PayloadDone, Settled } from './callback.ts';
import type { RegisterOptions } from './plugin.ts';

/** The context that hooks are called on, and the requests and replies that they see. */
export interface HookScope {
  context: unknown;
  request: unknown;
  reply: unknown;
}

export type RequestHookOf<By extends HookScope> = (
  this: By['context'],
  request: By['request'],
  reply: By['reply'],
  done: Done,
) => Settled;
export type PreParsingHookOf<By extends HookScope> = (
  this: By['context'],
  request: By['request'],
  reply: By['reply'],
  payload: BodyStream,
  done: PayloadDone<BodyStream>,
) => Settled<BodyStream | void>;
export type PayloadHookOf<By extends HookScope> = (
  this: By['context'],
  request: By['request'],
  reply: By['reply'],
  payload: unknown,
  done: PayloadDone,
) => Settled;
export type ErrorHookOf<By extends HookScope> = (
  this: By['context'],
  request: By['request'],
  reply: By['reply'],
  error: Error & { statusCode?: number; code?: string },
  done: () => void,
) => Settled;
export type AbortHookOf<By extends HookScope> = (
  this: By['context'],
  request: By['request'],
  done: Done,
) => Settled;

/** The hooks of a request, in the order of its life. */
export interface RequestHooksOf<By extends HookScope> {
  onRequest: RequestHookOf<By>;
  preParsing: PreParsingHookOf<By>;
  preValidation: RequestHookOf<By>;
  preHandler: RequestHookOf<By>;
  preSerialization: PayloadHookOf<By>;
  onSend: PayloadHookOf<By>;
  onResponse: RequestHookOf<By>;
  onError: ErrorHookOf<By>;
  onTimeout: RequestHookOf<By>;
  onRequestAbort: AbortHookOf<By>;
}

/** The hooks of a context. */
export interface ContextHooksOf<This, Child, Route> {
  onRoute: (this: This, route: Route) => void;
  onRegister: (this: This, child: Child, options: RegisterOptions & Record<string, unknown>) => void;
  onReady: (this: This, done: Done) => Settled;
  onListen: (this: This, done: Done) => Settled;
  preClose: (this: This, done: Done) => Settled;
  onClose: (this: This, context: This, done: Done) => Settled;
}
