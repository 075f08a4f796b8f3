/** The `Date` line of responses, which changes once per second. */

let line = '';

/** Returns the line, with CRLF at its end. */
export function dateLine(): string {
  if (line === '') {
    const now = new Date();
    line = `Date: ${now.toUTCString()}\r\n`;
    setTimeout(clearLine, 1000 - now.getMilliseconds()).unref();
  }
  return line;
}

function clearLine(): void {
  line = '';
}
