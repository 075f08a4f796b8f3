/** Shows what a command does and how far it is: one line that moves on a terminal, a line for each step elsewhere. */
import { canMove } from './terminal.ts';

export class Progress {
  readonly #stepCount: number;
  readonly #stream: NodeJS.WriteStream;
  readonly #isMoving: boolean;
  #step = 0;

  constructor(stepCount: number, stream: NodeJS.WriteStream = process.stderr) {
    this.#stepCount = stepCount;
    this.#stream = stream;
    this.#isMoving = canMove(stream);
  }

  /** Begins the next step. */
  next(text: string): void {
    this.#step++;
    const line = `[${this.#step}/${this.#stepCount}] ${text}`;
    this.#stream.write(this.#isMoving ? `\r\x1b[K${line}` : `${line}\n`);
  }

  /** Removes the line that moves, before a result or an error is printed. */
  end(): void {
    if (this.#isMoving && this.#step > 0) this.#stream.write('\r\x1b[K');
  }
}
