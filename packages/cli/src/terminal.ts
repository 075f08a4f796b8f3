/** Finds out whether a stream shows colours, and whether its last line can be written again. */

interface Output {
  readonly isTTY?: boolean;
}

/** FORCE_COLOR has precedence over NO_COLOR, as in Node itself. Without them, only terminals get colours. */
export function hasColors(stream: Output, env: NodeJS.ProcessEnv = process.env): boolean {
  const { FORCE_COLOR: forced, NO_COLOR: refused, TERM: terminal } = env;
  if (forced !== undefined) return !['0', 'false'].includes(forced);
  return !refused && stream.isTTY === true && terminal !== 'dumb';
}

/** Whether the last line can be written again. The terminals of CI systems can only append. */
export function canRewriteLine(stream: Output, env: NodeJS.ProcessEnv = process.env): boolean {
  return stream.isTTY === true && env.TERM !== 'dumb' && !env.CI;
}

const codes = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, magenta: 35, cyan: 36 } as const;

/** Writes a text in a style. */
export type Paint = (style: keyof typeof codes, text: string) => string;

/** Returns a function that colours text if the stream shows colours. */
export function paintFor(stream: Output): Paint {
  if (!hasColors(stream)) return (_style, text) => text;
  return (style, text) => `\x1b[${codes[style]}m${text}\x1b[0m`;
}
