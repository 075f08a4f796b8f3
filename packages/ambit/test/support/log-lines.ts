/** Collects what an application logs, as objects. */

export interface LogLine {
  level: number;
  msg?: string;
  reqId?: string;
  req?: { method: string; url: string; canonicalPath?: string; host: string; remoteAddress: string };
  res?: { statusCode: number };
  err?: { type: string; message: string; stack: string; code?: string };
  responseTime?: number;
  [field: string]: unknown;
}

export class LogLines {
  readonly lines: LogLine[] = [];
  readonly #waiting: (() => void)[] = [];

  /** Pino's destination. */
  write(text: string): void {
    this.lines.push(JSON.parse(text));
    for (const check of this.#waiting.splice(0)) check();
  }

  get messages(): (string | undefined)[] {
    return this.lines.map(({ msg }) => msg);
  }

  find(text: string): LogLine | undefined {
    return this.lines.find(({ msg }) => msg === text);
  }

  /** Resolves with the first line of this text, which may be yet to come. */
  until(text: string): Promise<LogLine> {
    return new Promise((resolve) => {
      const check = (): void => {
        const line = this.find(text);
        if (line === undefined) this.#waiting.push(check);
        else resolve(line);
      };
      check();
    });
  }
}
