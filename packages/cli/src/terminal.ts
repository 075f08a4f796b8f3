/** What the command shows: results on stdout, colours where a stream shows them, and a line of progress that is written again. */

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

export class Progress {
  readonly #stepCount: number;
  readonly #stream: NodeJS.WriteStream;
  readonly #rewritesLine: boolean;
  #step = 0;

  constructor(stepCount: number, stream: NodeJS.WriteStream = process.stderr) {
    this.#stepCount = stepCount;
    this.#stream = stream;
    this.#rewritesLine = canRewriteLine(stream);
  }

  /** Begins the next step. */
  next(text: string): void {
    this.#step++;
    const line = `[${this.#step}/${this.#stepCount}] ${text}`;
    this.#stream.write(this.#rewritesLine ? `\r\x1b[K${line}` : `${line}\n`);
  }

  /** Removes the line of the terminal, before a result or an error is printed. */
  end(): void {
    if (this.#rewritesLine && this.#step > 0) this.#stream.write('\r\x1b[K');
  }
}

const write = process.stdout.write.bind(process.stdout);

/** Redirects the application's standard output to standard error from now on. */
export function reserveStdout(): void {
  process.stdout.write = process.stderr.write.bind(process.stderr) as typeof process.stdout.write;
}

/** Writes to standard output, and resolves when it is written. */
export function print(content: string | Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    write(content, () => resolve());
  });
}

/** Prints a value as JSON. */
export function printJson(value: unknown): Promise<void> {
  return print(`${JSON.stringify(value, null, 2)}\n`);
}
