/** Removes secrets from requests that are stored or shown. */

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
const urlPairs = /([?&;])([^=&;\s#]+)=([^&;\s#]*)/g;
const replacement = '[redacted]';
const maxUrl = 2_000;
const maxName = 200;
const maxValue = 500;
const maxHeaders = 60;

type Part = 'headers' | 'query' | 'params';

/** The parts of a request that are stored. */
export interface RedactableRequest {
  /** The URL, with its query string. */
  readonly url: string;
  /** The headers, with their names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Copies the URL and the headers of requests, without secrets. */
export class Redactor {
  readonly #paths: readonly RegExp[];

  /** @param paths As in the option `redact`. */
  constructor(paths: readonly string[] = []) {
    this.#paths = paths.map(toExpression);
  }

  /** Copies the headers of a request. */
  headers({ headers }: RedactableRequest): Record<string, string> {
    const entries = Object.entries(headers).slice(0, maxHeaders);
    return Object.fromEntries(
      entries.map(([name, value]) => [name.slice(0, maxName), this.#header(name, String(value))]),
    );
  }

  #header(name: string, value: string): string {
    if (this.#isSecret('headers', name)) return replacement;
    // The value is cut after the redaction, because a part of a secret would not be recognized. A very long value is also cut before it.
    const text = redactValues(value.slice(0, 20 * maxValue)).replace(
      urlPairs,
      (pair, before: string, pairName: string) =>
        this.#isSecret('query', decodeQuery(pairName)) ? `${before}${pairName}=${replacement}` : pair,
    );
    return text.slice(0, maxValue);
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

  #isSecret(part: Part, name: string): boolean {
    const plain = name.toLowerCase().replace(/[^a-z\d]/g, '');
    return (
      secretNamePattern.test(plain) ||
      exactNames.has(plain) ||
      this.#paths.some((path) => path.test(`${part}.${name}`))
    );
  }
}

/** The regular expression for a path of the option `redact`. `*` stands for any characters, and the case is ignored. */
function toExpression(path: string): RegExp {
  const parts = path.split('*').map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^]*')}$`, 'i');
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
