/** Shows the progress of a command. On a terminal, one line is written again for each step; otherwise, each step is a new line. */
import { canRewriteLine } from './terminal.ts';

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
