/** The warnings that the framework emits on the process, under the ecosystem's codes where there is one. */
import { emitWarning } from '../shared/js-runtime.ts';
import type { Compatibility } from './flavor.ts';

interface WarningDefinition<Arguments extends unknown[]> {
  /**
   * The end of the warning's type: `AmbitWarning`; or `FastifyWarning` if Fastify has the same warning and the application uses its
   * messages.
   */
  kind: 'Warning' | 'Security' | 'Deprecation';
  code: string;
  message: (...args: Arguments) => string;
}

/** @param messages The switch `messages` of the application that the warning is about. */
type Warn<Arguments extends unknown[]> = (messages: Compatibility['messages'], ...args: Arguments) => void;

/** Defines a warning that Fastify has, too. */
function defineWarning<Arguments extends unknown[]>(
  definition: WarningDefinition<Arguments>,
): Warn<Arguments> {
  const { kind, code, message } = definition;
  return (messages, ...args) => {
    const name = messages === 'fastify' ? 'Fastify' : 'Ambit';
    emitWarning(message(...args), { type: `${name}${kind}`, code });
  };
}

/** Defines a warning that Fastify does not have. */
function defineOwnWarning<Arguments extends unknown[]>(
  definition: WarningDefinition<Arguments>,
): (...args: Arguments) => void {
  const { kind, code, message } = definition;
  return (...args) => emitWarning(message(...args), { type: `Ambit${kind}`, code });
}

export const warnSchemaMissing: Warn<[part: string, method: string, url: string]> = defineWarning({
  kind: 'Warning',
  code: 'FSTWRN001',
  message: (part: string, method: string, url: string) =>
    `The ${part} schema for ${method}: ${url} is missing. This may indicate the schema is not well specified.`,
});

export const warnMixedStyles: Warn<[call: string]> = defineWarning({
  kind: 'Warning',
  code: 'FSTWRN003',
  message: (call: string) =>
    `The ${call} mixes async and callback styles that may lead to unhandled rejections. Please use only one of them.`,
});

export const warnErrorHandlerOverridden: Warn<[]> = defineWarning({
  kind: 'Warning',
  code: 'FSTWRN004',
  message: () =>
    "It seems that you are overriding an errorHandler in the same scope, which can lead to subtle bugs. To disable this behavior, set 'allowErrorHandlerOverride' to false.",
});

export const warnLooseMediaTypePattern: Warn<[pattern: string]> = defineWarning({
  kind: 'Security',
  code: 'FSTSEC001',
  message: (pattern: string) =>
    `You are using /${pattern}/ Content-Type which may be vulnerable to CORS attack. Please make sure your RegExp start with "^" or include ";?" to proper detection of the essence MIME type.`,
});

export const warnRouterOptions: Warn<[options: string]> = defineWarning({
  kind: 'Warning',
  code: 'FSTDEP022',
  message: (options: string) =>
    `The router options for ${options} property access is deprecated. Please use "options.routerOptions" instead for accessing router options.`,
});

export const warnRequestLoggingOption: Warn<[]> = defineWarning({
  kind: 'Deprecation',
  code: 'FSTDEP023',
  message: () =>
    'disableRequestLogging option is deprecated. Use the logController option with disableRequestLogging or isLogDisabled override instead.',
});

export const warnRequestIdLabelOption: Warn<[]> = defineWarning({
  kind: 'Deprecation',
  code: 'FSTDEP024',
  message: () =>
    'requestIdLogLabel option is deprecated. Use the logController option with requestIdLogLabel instead.',
});

export const warnMethodRedefined: Warn<[method: string]> = defineWarning({
  kind: 'Deprecation',
  code: 'FSTDEP025',
  message: (method: string) =>
    `Calling addHttpMethod for existing method "${method}" without { overrideExisting: true } is deprecated.`,
});

export const warnSerializerAjvOptions: (options: string) => void = defineOwnWarning({
  kind: 'Warning',
  code: 'AMBWRN001',
  message: (options: string) =>
    `serializerOpts.ajv and its ${options} are ignored, because responses are serialized without Ajv. To use them, set schemaController.compilersFactory to buildSerializer of @fastify/fast-json-stringify-compiler.`,
});

export const warnUnanswered: (route: string, problem: string) => void = defineOwnWarning({
  kind: 'Warning',
  code: 'AMBWRN005',
  message: (route: string, problem: string) =>
    `A request to ${route} has had no reply for seconds: ${problem}. This warning appears once for each route.`,
});

export const warnTrailersLeftOut: (route: string, names: string) => void = defineOwnWarning({
  kind: 'Warning',
  code: 'AMBWRN006',
  message: (route: string, names: string) =>
    `The trailers of the reply to ${route} are left out (${names}): a Response, which app.fetch returns, has none. This warning appears once for each route.`,
});

export const warnEarlyHintsLeftOut: (route: string) => void = defineOwnWarning({
  kind: 'Warning',
  code: 'AMBWRN007',
  message: (route: string) =>
    `The early hints of ${route} are left out: the server of the runtime sends only one response. This warning appears once for each route.`,
});

export const warnOptionsUnused: (names: string) => void = defineOwnWarning({
  kind: 'Warning',
  code: 'AMBWRN008',
  message: (names: string) =>
    `These options have no effect with app.fetch: ${names}. The server that calls it has its own: set them there, or call app.listen instead.`,
});

export const warnResponseUndeclared: (route: string, response: string) => void = defineOwnWarning({
  kind: 'Warning',
  code: 'AMBWRN013',
  message: (route: string, response: string) =>
    `${route} replied with ${response}, which its response schemas do not declare: all properties are sent. Declare it, or set the option \`responses\` to 'declared' to refuse such replies. This warning appears once for each route and status, and not in production.`,
});

export const warnErrorSchema: (route: string, statuses: string, reason: string, schema: string) => void =
  defineOwnWarning({
    kind: 'Warning',
    code: 'AMBWRN011',
    message: (route: string, statuses: string, reason: string, schema: string) =>
      `The response schema of ${route} for ${statuses} cannot take the framework's own errors (${reason}). Set an error handler that replies, or use this schema: ${schema}`,
  });

export const warnShortBody: (route: string) => void = defineOwnWarning({
  kind: 'Warning',
  code: 'AMBWRN012',
  message: (route: string) =>
    `The body schema of ${route} has the short form, which requires no property: a body of {} is valid. If that is not what you want, write { type: 'object', required: [...], properties: { ... } }. This warning appears once for each route, and not in production.`,
});

export const warnErrorHidden = (route: string, detail: string): void =>
  emitWarning(
    `A request to ${route} has failed. Its client did not get the message, because NODE_ENV is production, and the application has no logger that could write it. Set the option \`logger\` to see every such error: this warning appears once.`,
    { type: 'AmbitWarning', code: 'AMBWRN009', detail },
  );

export const warnLogLineLost: (reason: string) => void = defineOwnWarning({
  kind: 'Warning',
  code: 'AMBWRN002',
  message: (reason: string) =>
    `The logger cannot write a line: ${reason}. The application continues to serve requests; this reason is not reported again.`,
});

export const warnMisspelled: (problem: string) => void = defineOwnWarning({
  kind: 'Warning',
  code: 'AMBWRN003',
  message: (problem: string) => problem,
});

export const warnUndeclared: (problem: string) => void = defineOwnWarning({
  kind: 'Warning',
  code: 'AMBWRN004',
  message: (problem: string) => problem,
});

export const warnLateSetting: (setting: string, missed: string, others: number) => void = defineOwnWarning({
  kind: 'Warning',
  code: 'AMBWRN010',
  message: (setting: string, missed: string, others: number) =>
    `What is set late does not reach what was declared before: ${setting} does not apply to ${missed}${others === 0 ? '' : `, nor to ${others} more`}. Set it before the plugin is registered. This warning does not appear in production.`,
});

export const warnFormatUnknown: (format: string, place: string) => void = defineOwnWarning({
  kind: 'Warning',
  code: 'AMBWRN014',
  message: (format: string, place: string) =>
    `The format "${format}" is unknown, so strings are not checked: ${place}. Add it with ajv.customOptions.formats; ajv.customOptions.strictSchema: true makes it an error.`,
});
