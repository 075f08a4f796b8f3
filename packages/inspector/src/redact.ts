/** Leaves secrets out of what is remembered of requests. */

/** Names that suggest a secret, whatever stands around them, without separators. `author` and `authority` are none. */
const secretName =
  /auth(?!or(?!i[sz]))|cookie|token|secret|passw|passphrase|passcode|pwd|session|signature|credential|(?:api|access|private|signing|account)key|jwt|bearer|csrf|xsrf|saml|assertion/;
/** Names that are secrets on their own: keys of APIs, codes of OAuth (RFC 6749, section 4.1.2), signatures of URLs. */
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
/** Values that are secrets, whatever their name is: JSON Web Tokens, and credentials with their scheme (RFC 9110, section 11.4). */
const secretValues =
  /(?<![\w-])eyJ[\w-]+\.[\w-]+(?:\.[\w-]*)*|\b(?:bearer|basic|digest|negotiate)[ +]+[\w.~+/=-]+/gi;
/** User and password of a URL. */
const userInfo = /(\/\/)[^/?#@\s]+@/g;
/** Pairs of a query inside a URL, such as that of `Referer`. */
const urlPairs = /([?&;])([^=&;\s#]+)=([^&;\s#]*)/g;
const redacted = '[redacted]';
const maxUrl = 2_000;
const maxName = 200;
const maxValue = 500;
const maxHeaders = 60;

type Part = 'headers' | 'query' | 'params';

/** The parts of a request that are remembered. */
interface Readable {
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Copies the URL and the headers of requests, without secrets. */
export class Redactor {
  readonly #paths: readonly RegExp[];

  /** @param paths As in the option `redact`. */
  constructor(paths: readonly string[] = []) {
    this.#paths = paths.map(toExpression);
  }

  headers({ headers }: Readable): Record<string, string> {
    const entries = Object.entries(headers).slice(0, maxHeaders);
    return Object.fromEntries(
      entries.map(([name, value]) => [name.slice(0, maxName), this.#header(name, String(value))]),
    );
  }

  #header(name: string, value: string): string {
    if (this.#isSecret('headers', name)) return redacted;
    // Cut behind the redaction: the half of a secret is not recognized any more. What is much longer is cut before, too.
    const text = withoutValues(value.slice(0, 20 * maxValue)).replace(
      urlPairs,
      (pair, before: string, pairName: string) =>
        this.#isSecret('query', decodeQuery(pairName)) ? `${before}${pairName}=${redacted}` : pair,
    );
    return text.slice(0, maxValue);
  }

  /**
   * The values of parameters that are secrets. Read before the request runs: validation converts parameters in place.
   *
   * @param params The parameters of the route.
   */
  secretsOf(params: unknown): readonly string[] {
    if (typeof params !== 'object' || params === null) return [];
    return Object.entries(params)
      .filter(([name, value]) => typeof value === 'string' && value !== '' && this.#isSecret('params', name))
      .map(([, value]) => value as string);
  }

  /** @param secrets What `secretsOf` returned. */
  url({ url }: Readable, secrets: readonly string[]): string {
    const end = url.indexOf('?');
    const path = withoutValues(this.#withoutParams(end === -1 ? url : url.slice(0, end), secrets));
    return (end === -1 ? path : `${path}?${this.#withoutSecrets(url.slice(end + 1))}`).slice(0, maxUrl);
  }

  #withoutSecrets(query: string): string {
    return query
      .split(/([&;])/)
      .map((pair) => {
        const [name = ''] = pair.split('=', 1);
        return this.#isSecret('query', decodeQuery(name)) ? `${name}=${redacted}` : withoutValues(pair);
      })
      .join('');
  }

  #withoutParams(path: string, secrets: readonly string[]): string {
    if (secrets.length === 0) return path;
    const segments = path.split('/');
    const texts = segments.map(decodePath);
    // The value of a wildcard has several segments, and a router may change the URL: then nothing of it is remembered.
    if (!secrets.every((secret) => texts.some((text) => text.includes(secret)))) return `/${redacted}`;
    return segments
      .map((segment, i) => (secrets.some((secret) => texts[i]!.includes(secret)) ? redacted : segment))
      .join('/');
  }

  #isSecret(part: Part, name: string): boolean {
    const plain = name.toLowerCase().replace(/[^a-z\d]/g, '');
    return (
      secretName.test(plain) ||
      exactNames.has(plain) ||
      this.#paths.some((path) => path.test(`${part}.${name}`))
    );
  }
}

/** `*` stands for any characters. The case of letters does not matter. */
function toExpression(path: string): RegExp {
  const parts = path.split('*').map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^]*')}$`, 'i');
}

function withoutValues(text: string): string {
  return text.replace(userInfo, `$1${redacted}@`).replace(secretValues, redacted);
}

function decodeQuery(text: string): string {
  return decodePath(text.replaceAll('+', ' '));
}

function decodePath(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
