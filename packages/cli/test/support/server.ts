/** Runs commands that do not end by themselves, reads their output, and sends them requests continuously. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { startCommand } from './command.ts';

export class Running {
  readonly child: ChildProcess;
  output = '';
  readonly #waiting = new Set<() => void>();
  readonly #ended: Promise<unknown>;

  constructor(folder: string, args: readonly string[], env?: NodeJS.ProcessEnv) {
    this.child = startCommand(folder, args, env);
    const take = (chunk: Buffer): void => {
      this.output += chunk;
      for (const look of this.#waiting) look();
    };
    this.child.stdout!.on('data', take);
    this.child.stderr!.on('data', take);
    this.#ended = once(this.child, 'close');
  }

  /** Resolves when the output has a match, and removes the output up to its end. Rejects if the command ends. */
  until(pattern: RegExp): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const match = pattern.exec(this.output);
        if (match === null) return;
        this.#waiting.delete(look);
        this.output = this.output.slice(match.index + match[0].length);
        resolve(match);
      };
      this.#waiting.add(look);
      this.#ended.then(() => reject(new Error(`the command ended: no ${pattern} in\n${this.output}`)));
      look();
    });
  }

  /** The address that the command prints when it serves. */
  async address(): Promise<string> {
    const [, address] = await this.until(/(http:\/\/[^\s",]+).*\n/);
    return address!;
  }

  /** Resolves with the exit code. */
  async end(): Promise<number | null> {
    await this.#ended;
    return this.child.exitCode;
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.child.kill(signal);
    return this.end();
  }
}

/** Clients that each send the next request when the last one is answered. */
export class Load {
  readonly failures: string[] = [];
  readonly bodies = new Set<string>();
  readonly #agent: Agent;
  readonly #clients: Promise<void>[];
  #isOn = true;

  constructor(url: string, { clientCount = 2, keepAlive = true } = {}) {
    this.#agent = new Agent({ keepAlive });
    this.#clients = Array.from({ length: clientCount }, () => this.#send(url));
  }

  async stop(): Promise<void> {
    this.#isOn = false;
    await Promise.all(this.#clients);
    this.#agent.destroy();
  }

  async #send(url: string): Promise<void> {
    while (this.#isOn) {
      try {
        const { status, body } = await sendRequest(url, this.#agent);
        if (status === 200) this.bodies.add(body);
        else this.failures.push(`${status} ${body}`);
      } catch (error) {
        this.failures.push(String(error));
      }
    }
  }
}

/** Sends one request, on a new connection unless there is an agent. */
export function sendRequest(
  url: string,
  agent: Agent | false = false,
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => (body += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
      response.on('error', reject);
    });
    request.on('error', reject);
  });
}
