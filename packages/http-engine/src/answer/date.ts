/** Owns the `Date` line of responses, which changes once per second. */

let line = '';

/** The line, CRLF included. */
export function dateLine(): string {
  if (line === '') {
    const now = new Date();
    line = `Date: ${now.toUTCString()}\r\n`;
    setTimeout(forget, 1000 - now.getMilliseconds()).unref();
  }
  return line;
}

function forget(): void {
  line = '';
}
