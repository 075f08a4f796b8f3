/** Removes secrets from what is stored or shown of requests. */
import { JsonCopy, readOwn } from './copy-json.ts';

/** Matches names, without separators, that contain a word for a secret. `author` and `authority` do not match. */
const secretNamePattern =
  /auth(?!or(?!i[sz]))|cookie|token|secret|passw|passphrase|passcode|pwd|session|signature|credential|(?:api|access|private|signing|account)key|jwt|bearer|csrf|xsrf|saml|assertion/;
/** Complete names of secrets: keys of APIs, codes of OAuth (RFC 6749, section 4.1.2), signatures of URLs. */
const exactNames: ReadonlySet<string> = new Set([
  'key',
  'code',
  'sig',
  'sid',
  'otp',
  'totp',
  'pin',
  'cvv',
  'cvc',
  'ticket',
]);
/** Matches values that are secrets with any name: JSON Web Tokens, and credentials with their scheme (RFC 9110, section 11.4). */
const secretValuePattern =
  /(?<![\w-])eyJ[\w-]+\.[\w-]+(?:\.[\w-]*)*|\b(?:bearer|basic|digest|negotiate)[ +]+[\w.~+/=-]+/gi;
/** Matches the user and password of a URL. */
const userInfo = /(\/\/)[^/?#@\s]+@/g;
/** Matches the pairs of a query inside a URL, such as that of `Referer`. */
const urlPairs = /([?&;])([^=&;?\s#]{1,200})=([^&;\s#]*)/g;
/** Matches names with their values in a text: `password=x`, `token: x`, `"secret":"x"`. */
const namedValues =
  /([\w.-]{2,60})(["']?\s{0,3}[:=]\s{0,3})(?!\[redacted)("(?:[^"\\]|\\.)*"|'[^']*'|[^\s"',;&)}\]]+)/g;
/** Matches the rest of a line behind a header whose value has several parts. */
const headerLines = /((?:cookie|authorization)["']?\s{0,3}[:=]\s{0,3})[^\r\n]+/gi;
const replacement = '[redacted]';
const maxUrl = 2_000;
const maxName = 200;
const maxValue = 500;
const maxHeaders = 60;
/** Shorter values of secrets are not looked for in other texts, because they are ordinary words. */
const leastSecret = 8;
const maxSecrets = 40;
/** The limits of a value that is copied: its parts, and the characters of all of its texts. */
const maxValues = 2_000;
const maxCharacters = 64 * 1024;

type Part = 'headers' | 'query' | 'params' | 'body' | 'log';

/** The parts of a request that are stored. */
export interface RedactableRequest {
  /** The URL, with its query string. */
  readonly url: string;
  /** The headers, with their names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** A request without its secrets. */
export interface RedactedRequest {
  /** The URL. */
  readonly url: string;
  /** The headers. */
  readonly headers: Record<string, string>;
  /** The secrets: `text` and `json` replace them wherever they are. */
  readonly secrets: readonly string[];
}

/** Copies what is stored or shown of requests, without secrets. */
export class Redactor {
  readonly #paths: readonly RegExp[];

  /** @param paths As in the option `redact`. */
  constructor(paths: readonly string[] = []) {
    this.#paths = paths.map(toExpression);
  }

  /**
   * Copies the URL and the headers of a request, and finds its secrets. Call it before the request runs, because validation converts
   * parameters in place.
   *
   * @param request The request, with the parameters of its route, some of which may be secrets in the URL.
   */
  request(request: RedactableRequest & { readonly params?: unknown }): RedactedRequest {
    const inPath = this.secretsOf(request.params);
    return {
      url: this.url(request, inPath),
      headers: this.headers(request),
      secrets: [...new Set([...inPath, ...this.#secretsIn(request)])].slice(0, maxSecrets),
    };
  }

  /** The secrets in the headers and in the query, as far as they can be recognized in other texts. */
  *#secretsIn({ url, headers }: RedactableRequest): Iterable<string> {
    const values = Object.entries(headers).flatMap(([name, value]) =>
      this.#isSecret('headers', name) ? readSecrets(name, String(value)) : [],
    );
    for (const [, , name, value] of url.slice(0, 20 * maxUrl).matchAll(urlPairs))
      if (this.#isSecret('query', decodeQuery(name!))) values.push(value!, decodeQuery(value!));
    for (const value of values) if (value.length >= leastSecret) yield value;
  }

  /**
   * Copies a text, without secrets.
   *
   * @param text Any text, such as the message of an error.
   * @param secrets Those of the request.
   */
  text(text: string, secrets: readonly string[] = []): string {
    return this.#redactPairs(redactValues(replaceAll(text, secrets)))
      .replace(headerLines, `$1${replacement}`)
      .replace(namedValues, (pair, name: string, sign: string) =>
        secretNamePattern.test(plainName(name)) ? `${name}${sign}${replacement}` : pair,
      );
  }

  /**
   * Copies a value as JSON, without secrets and without running its code. A very large value is cut.
   *
   * @param part `body` or `log`: what the option `redact` calls the value.
   * @param value The value.
   * @param secrets Those of the request.
   * @param longest The number of characters of all texts and names after which it is cut. Default 65,536.
   */
  json(
    part: 'body' | 'log',
    value: unknown,
    secrets: readonly string[] = [],
    longest: number = maxCharacters,
  ): { readonly value: unknown; readonly isRedacted: boolean; readonly isCut: boolean } {
    let isRedacted = false;
    const copy = new JsonCopy({
      maxValues,
      maxCharacters: longest,
      text: (text) => {
        const copied = this.text(text, secrets);
        isRedacted ||= copied !== text;
        return copied;
      },
      member: (path, member, owner) => {
        if (member === undefined || member === null || typeof member === 'boolean') return undefined;
        // The code of an error is no secret, as one of OAuth is.
        const isErrorCode = path.at(-1) === 'code' && readOwn(owner, 'stack') !== undefined;
        if (isErrorCode || !this.#isSecretPath(part, path)) return undefined;
        isRedacted = true;
        return replacement;
      },
    });
    return { value: copy.copy(value), isRedacted, isCut: copy.isCut };
  }

  /**
   * Copies the headers of a request, or of a response.
   *
   * @param message What has the headers.
   * @param secrets Those of the request.
   */
  headers(
    { headers }: Pick<RedactableRequest, 'headers'>,
    secrets: readonly string[] = [],
  ): Record<string, string> {
    const entries = Object.entries(headers).slice(0, maxHeaders);
    return Object.fromEntries(
      entries.map(([name, value]) => [name.slice(0, maxName), this.#header(name, String(value), secrets)]),
    );
  }

  #header(name: string, value: string, secrets: readonly string[]): string {
    if (this.#isSecret('headers', name)) return replacement;
    // The value is cut after the redaction, because a part of a secret would not be recognized. A very long value is also cut before it.
    const text = replaceAll(value.slice(0, 20 * maxValue), secrets);
    return this.#redactPairs(redactValues(text)).slice(0, maxValue);
  }

  #redactPairs(text: string): string {
    return text.replace(urlPairs, (pair, before: string, name: string) =>
      this.#isSecret('query', decodeQuery(name)) ? `${before}${name}=${replacement}` : pair,
    );
  }

  /**
   * The values of parameters that are secrets. Call it before the request runs, because validation converts parameters in place.
   *
   * @param params The parameters of the route.
   */
  secretsOf(params: unknown): readonly string[] {
    if (typeof params !== 'object' || params === null) return [];
    return Object.entries(params)
      .filter(([name, value]) => typeof value === 'string' && value !== '' && this.#isSecret('params', name))
      .map(([, value]) => value as string);
  }

  /** @param secrets The result of `secretsOf`. */
  url({ url }: RedactableRequest, secrets: readonly string[]): string {
    const end = url.indexOf('?');
    const path = redactValues(this.#redactPath(end === -1 ? url : url.slice(0, end), secrets));
    return (end === -1 ? path : `${path}?${this.#redactQuery(url.slice(end + 1))}`).slice(0, maxUrl);
  }

  #redactQuery(query: string): string {
    return query
      .split(/([&;])/)
      .map((pair) => {
        const [name = ''] = pair.split('=', 1);
        return this.#isSecret('query', decodeQuery(name)) ? `${name}=${replacement}` : redactValues(pair);
      })
      .join('');
  }

  #redactPath(path: string, secrets: readonly string[]): string {
    if (secrets.length === 0) return path;
    const segments = path.split('/');
    const texts = segments.map(decode);
    // If a secret is not in one segment (the value of a wildcard has several, and a router may change the URL), the whole path is redacted.
    if (!secrets.every((secret) => texts.some((text) => text.includes(secret)))) return `/${replacement}`;
    return segments
      .map((segment, i) => (secrets.some((secret) => texts[i]!.includes(secret)) ? replacement : segment))
      .join('/');
  }

  #isSecretPath(part: Part, path: readonly string[]): boolean {
    return (
      this.#isSecret(part, path.at(-1) ?? '') ||
      this.#paths.some((each) => each.test([part, ...path].join('.')))
    );
  }

  #isSecret(part: Part, name: string): boolean {
    return isSecretName(name) || this.#paths.some((path) => path.test(`${part}.${name}`));
  }
}

/** The regular expression for a path of the option `redact`. `*` stands for any characters, and the case is ignored. */
function toExpression(path: string): RegExp {
  const parts = path.split('*').map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^]*')}$`, 'i');
}

function replaceAll(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length >= leastSecret)
    .reduce((copied, secret) => copied.replaceAll(secret, replacement), text);
}

/** Names that were checked, because most requests have the same ones. */
const checkedNames = new Map<string, boolean>();
const maxCheckedNames = 500;

function isSecretName(name: string): boolean {
  let isSecret = checkedNames.get(name);
  if (isSecret === undefined) {
    const plain = plainName(name);
    isSecret = secretNamePattern.test(plain) || exactNames.has(plain);
    // A new text, because a part of a header would keep the whole header in memory.
    if (checkedNames.size < maxCheckedNames && name.length < maxName)
      checkedNames.set(JSON.parse(JSON.stringify(name)) as string, isSecret);
  }
  return isSecret;
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/[^a-z\d]/g, '');
}

/** The secrets in the value of a header: the values of cookies, and the credentials without their scheme. */
function readSecrets(name: string, value: string): string[] {
  const parts = value.slice(0, 20 * maxValue).split(/[\s;,]+/);
  return name === 'cookie' ? parts.map((part) => part.slice(part.indexOf('=') + 1)) : parts;
}

function redactValues(text: string): string {
  return text.replace(userInfo, `$1${replacement}@`).replace(secretValuePattern, replacement);
}

function decodeQuery(text: string): string {
  return decode(text.replaceAll('+', ' '));
}

/** The text without percent-encoding (RFC 3986, section 2.1); as it is, if that is wrong. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
