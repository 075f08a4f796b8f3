/** The attribute `url.query`: the query string without the values of secret parameters. */

/** The parameters that the HTTP semantic conventions name for the attribute `url.query`. */
export const defaultRedacted: readonly string[] = ['AWSAccessKeyId', 'Signature', 'sig', 'X-Goog-Signature'];

/** Replaces the values of some parameters with `REDACTED`. Names are compared as sent, and decoded. */
export function redactQuery(query: string, redacted: ReadonlySet<string>): string {
  if (redacted.size === 0) return query;
  return query
    .split('&')
    .map((pair) => {
      const equals = pair.indexOf('=');
      if (equals === -1) return pair;
      const name = pair.slice(0, equals);
      return redacted.has(name) || redacted.has(decode(name)) ? `${name}=REDACTED` : pair;
    })
    .join('&');
}

function decode(name: string): string {
  if (!name.includes('%')) return name;
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
