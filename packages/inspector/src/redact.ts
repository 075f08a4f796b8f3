/** Leaves secrets out of what is remembered of requests. */

/** Names that speak of a secret, whatever stands around them. */
const secretName = /auth|cookie|token|secret|passw|session|signature|credential|api-?_?key|jwt/i;
const redacted = '[redacted]';
const maxUrl = 2_000;
const maxValue = 500;
const maxHeaders = 60;

/** The parts of a request that secrets are in. */
interface Redactable {
  readonly url: string;
  readonly params: unknown;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Copies the URL and the headers of requests, without secrets. */
export class Redactor {
  readonly #paths: ReadonlySet<string>;

  /** @param paths As in the option `redact`. */
  constructor(paths: readonly string[] = []) {
    this.#paths = new Set(paths.map((path) => path.toLowerCase()));
  }

  headers({ headers }: Redactable): Record<string, string> {
    const entries = Object.entries(headers).slice(0, maxHeaders);
    return Object.fromEntries(
      entries.map(([name, value]) => [
        name,
        this.#isSecret('headers', name) ? redacted : String(value).slice(0, maxValue),
      ]),
    );
  }

  url({ url, params }: Redactable): string {
    const end = url.indexOf('?');
    const path = this.#withoutParams(end === -1 ? url : url.slice(0, end), params);
    return (end === -1 ? path : `${path}?${this.#withoutSecrets(url.slice(end + 1))}`).slice(0, maxUrl);
  }

  #withoutSecrets(query: string): string {
    return query
      .split('&')
      .map((pair) => {
        const [name = ''] = pair.split('=', 1);
        return this.#isSecret('query', decode(name)) ? `${name}=${redacted}` : pair;
      })
      .join('&');
  }

  #withoutParams(path: string, params: unknown): string {
    if (typeof params !== 'object' || params === null) return path;
    const secrets = Object.entries(params)
      .filter(([name, value]) => typeof value === 'string' && value !== '' && this.#isSecret('params', name))
      .map(([, value]) => value as string);
    return path
      .split('/')
      .map((segment) => (secrets.some((secret) => decode(segment).includes(secret)) ? redacted : segment))
      .join('/');
  }

  #isSecret(part: string, name: string): boolean {
    return secretName.test(name) || this.#paths.has(`${part}.${name.toLowerCase()}`);
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
