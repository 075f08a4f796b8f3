/** The options of the plugin, their checks, and who may see the inspector. */
import { reasonNotLocal } from '@ambit/readable';
import type { Reply, Request } from 'ambit';

/** Options of `inspector`. */
export interface InspectorOptions {
  /** Where the page is served, below the prefix of the context. Default `/__ambit`. */
  path?: string;
  /**
   * Decides who may see the page: returns whether the request is allowed, or a promise of it. Without a guard, only clients on the same
   * machine are allowed, and in production (`NODE_ENV`) none.
   */
  guard?: (request: Request, reply: Reply) => boolean | PromiseLike<boolean>;
  /** The maximum memory for stored requests, in bytes: an integer > 0. The oldest requests are dropped. Default 1 MiB. */
  maxRequestBytes?: number;
  /**
   * Values to leave out of stored requests: `headers.x-tenant`, `query.filter[*`, `params.invite`, `body.card.number`, `log.user.email`; `*`
   * stands for any characters. Values whose names suggest a secret (authorization, cookie, token, password, key, …) are always left out.
   */
  redact?: readonly string[];
}

/** Raised at boot for an unknown option or an invalid value. Match on `code`, never on the text. */
export class InspectorError extends Error {
  /** The permanent code. */
  readonly code = 'AMBIT_ERR_INSPECTOR_OPTION';
  /** The status of the response, if the error reaches the default error handler. */
  readonly statusCode = 500;

  /** @param message Says which option is wrong. */
  constructor(message: string) {
    super(message);
    this.name = 'InspectorError';
  }
}

const redactPath = /^(?:headers|query|params|body|log)\../;

/** For each option: a description of valid values, and a function that checks a value. */
const rules: Readonly<
  Record<keyof InspectorOptions, readonly [expected: string, (value: unknown) => boolean]>
> = {
  path: [
    'a path that starts with a slash and does not end with one',
    (value) => /^\/(?:.*[^/])$/.test(String(value)),
  ],
  guard: ['a function', (value) => typeof value === 'function'],
  maxRequestBytes: ['an integer > 0', (value) => Number.isSafeInteger(value) && (value as number) > 0],
  redact: [
    "an array of names behind 'headers.', 'query.', 'params.', 'body.' or 'log.'",
    (value) =>
      Array.isArray(value) && value.every((path) => typeof path === 'string' && redactPath.test(path)),
  ],
};

/** The options of `register` itself. */
const registerOptions: readonly string[] = ['prefix', 'logLevel', 'logSerializers'];

/** @throws {InspectorError} */
export function checkOptions(options: InspectorOptions): void {
  for (const [name, value] of Object.entries(options)) {
    if (registerOptions.includes(name) || value === undefined) continue;
    if (!Object.hasOwn(rules, name))
      throw new InspectorError(
        `unknown option '${name}' of inspector; it has ${Object.keys(rules).join(', ')}`,
      );
    const [expected, isValid] = rules[name as keyof InspectorOptions];
    if (!isValid(value)) throw new InspectorError(`inspector: ${name} must be ${expected}`);
  }
}

/** Whether a page of another origin caused the request (Fetch Metadata; RFC 6454 for `Origin`). */
function isCrossOrigin({ headers }: Pick<Request, 'headers'>): boolean {
  const { origin, host = headers[':authority'], 'sec-fetch-site': site } = headers;
  const { 'sec-fetch-mode': mode, 'sec-fetch-dest': destination = 'document' } = headers;
  // A user who follows a link to the page comes from another site, which is allowed. A frame in a page of another site is not.
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    return mode !== 'navigate' || destination !== 'document';
  if (origin === undefined) return false;
  return !URL.canParse(origin) || new URL(origin).host !== host;
}

/**
 * Creates the hook that guards every route of the inspector. It replies with 404, so that only the log shows that there is an inspector.
 */
export function createGuard({ guard }: InspectorOptions): (request: Request, reply: Reply) => Promise<void> {
  return async (request, reply) => {
    const reason = isCrossOrigin(request)
      ? 'a page of another origin asked'
      : guard === undefined
        ? reasonNotLocal(request)
        : (await guard(request, reply)) === true
          ? undefined
          : 'the guard did not return true';
    if (reason === undefined || reply.sent) return;
    request.log.info({ reason }, 'the inspector refused a request');
    reply.callNotFound();
  };
}
