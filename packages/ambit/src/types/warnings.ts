/** The warnings that the framework emits on the process, under Fastify's codes where there is one. */
import { format } from 'node:util';
import { emitWarning } from '../shared/js-runtime.ts';
import type { Compatibility } from './flavor.ts';

/** @param messages The switch `messages` of the application that the warning is about. */
type Warn<Arguments extends unknown[]> = (messages: Compatibility['messages'], ...args: Arguments) => void;

/** Defines a warning that Fastify has, too: a code and a message, and the end of its type, which begins with the flavor's name. */
function defineWarning<Arguments extends unknown[]>(
  text: string,
  kind: 'Warning' | 'Security' | 'Deprecation' = 'Warning',
): Warn<Arguments> {
  return (messages, ...args) => emit(text, args, `${messages === 'fastify' ? 'Fastify' : 'Ambit'}${kind}`);
}

/** Defines a warning that Fastify does not have. */
function defineAmbitWarning<Arguments extends unknown[]>(text: string): (...args: Arguments) => void {
  return (...args) => emit(text, args, 'AmbitWarning');
}

function emit(text: string, args: unknown[], type: string): void {
  const [code = ''] = text.split(':', 1);
  emitWarning(format(text.slice(code.length + 2), ...args), { type, code });
}

export const warnSchemaMissing: Warn<[part: string, method: string, url: string]> = defineWarning(
  'FSTWRN001: The %s schema for %s: %s is missing. This may indicate the schema is not well specified.',
);
export const warnMixedStyles: Warn<[call: string]> = defineWarning(
  'FSTWRN003: The %s mixes async and callback styles that may lead to unhandled rejections. Please use only one of them.',
);
export const warnErrorHandlerOverridden: Warn<[]> = defineWarning(
  "FSTWRN004: It seems that you are overriding an errorHandler in the same scope, which can lead to subtle bugs. To disable this behavior, set 'allowErrorHandlerOverride' to false.",
);
export const warnLooseMediaTypePattern: Warn<[pattern: string]> = defineWarning(
  'FSTSEC001: You are using /%s/ Content-Type which may be vulnerable to CORS attack. Please make sure your RegExp start with "^" or include ";?" to proper detection of the essence MIME type.',
  'Security',
);
export const warnRouterOptions: Warn<[options: string]> = defineWarning(
  'FSTDEP022: The router options for %s property access is deprecated. Please use "options.routerOptions" instead for accessing router options.',
);
export const warnRequestLoggingOption: Warn<[]> = defineWarning(
  'FSTDEP023: disableRequestLogging option is deprecated. Use the logController option with disableRequestLogging or isLogDisabled override instead.',
  'Deprecation',
);
export const warnRequestIdLabelOption: Warn<[]> = defineWarning(
  'FSTDEP024: requestIdLogLabel option is deprecated. Use the logController option with requestIdLogLabel instead.',
  'Deprecation',
);
export const warnMethodRedefined: Warn<[method: string]> = defineWarning(
  'FSTDEP025: Calling addHttpMethod for existing method "%s" without { overrideExisting: true } is deprecated.',
  'Deprecation',
);

export const warnSerializerAjvOptions: (options: string) => void = defineAmbitWarning(
  'AMBWRN001: serializerOpts.ajv and its %s are ignored, because responses are serialized without Ajv. To use them, set schemaController.compilersFactory to buildSerializer of @fastify/fast-json-stringify-compiler.',
);
export const warnLogLineLost: (reason: string) => void = defineAmbitWarning(
  'AMBWRN002: The logger cannot write a line: %s. The application continues to serve requests; this reason is not reported again.',
);
export const warnMisspelled: (problem: string) => void = defineAmbitWarning('AMBWRN003: %s');
export const warnUndeclared: (problem: string) => void = defineAmbitWarning('AMBWRN004: %s');
export const warnUnanswered: (route: string, problem: string) => void = defineAmbitWarning(
  'AMBWRN005: A request to %s has had no reply for seconds: %s. This warning appears once for each route.',
);
export const warnTrailersLeftOut: (route: string, names: string) => void = defineAmbitWarning(
  'AMBWRN006: The trailers of the reply to %s are left out (%s): a Response, which app.fetch returns, has none. This warning appears once for each route.',
);
export const warnEarlyHintsLeftOut: (route: string) => void = defineAmbitWarning(
  'AMBWRN007: The early hints of %s are left out: the server of the runtime sends only one response. This warning appears once for each route.',
);
export const warnOptionsUnused: (names: string) => void = defineAmbitWarning(
  'AMBWRN008: These options have no effect with app.fetch: %s. The server that calls it has its own: set them there, or call app.listen instead.',
);
export const warnErrorHidden = (route: string, detail: string): void =>
  emitWarning(
    `A request to ${route} has failed. Its client did not get the message, because NODE_ENV is production, and the application has no logger that could write it. Set the option \`logger\` to see every such error: this warning appears once.`,
    { type: 'AmbitWarning', code: 'AMBWRN009', detail },
  );
export function warnLateSetting(setting: string, missed: string, others: number): void {
  const more = others === 0 ? '' : `, nor to ${others} more`;
  const text =
    'AMBWRN010: What is set late does not reach what was declared before: %s does not apply to %s%s. Set it before the plugin is registered. This warning does not appear in production.';
  emit(text, [setting, missed, more], 'AmbitWarning');
}
export const warnErrorSchema: (route: string, statuses: string, reason: string, schema: string) => void =
  defineAmbitWarning(
    "AMBWRN011: The response schema of %s for %s cannot take the framework's own errors (%s). Set an error handler that replies, or use this schema: %s",
  );
export const warnShortBody: (route: string) => void = defineAmbitWarning(
  "AMBWRN012: The body schema of %s has the short form, which requires no property: a body of {} is valid. If that is not what you want, write { type: 'object', required: [...], properties: { ... } }. This warning appears once for each route, and not in production.",
);
export const warnResponseUndeclared: (route: string, response: string) => void = defineAmbitWarning(
  "AMBWRN013: %s replied with %s, which its response schemas do not declare: all properties are sent. Declare it, or set the option `responses` to 'declared' to refuse such replies. This warning appears once for each route and status, and not in production.",
);
export const warnFormatUnknown: (format: string, place: string, suggestion: string) => void =
  defineAmbitWarning(
    'AMBWRN014: The format "%s" is unknown, so strings are not checked: %s.%s Add it with ajv.customOptions.formats; ajv.customOptions.strictSchema: true makes it an error.',
  );
export const warnSecondReply: (route: string, mistake: string) => void = defineAmbitWarning(
  'AMBWRN015: %s replies twice: %s. Only the first reply counts. Return after it: `return reply.send(...)`. This warning appears once for each route, and not in production.',
);
export const warnMixedHook: (route: string, hook: string) => void = defineAmbitWarning(
  'AMBWRN016: %s has a hook that takes done and returns a promise: %s. Whichever comes first ends the hook. Make it async and remove the parameter done, or return nothing. This warning appears once for each hook, and not in production.',
);
