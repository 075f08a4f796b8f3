/** What a developer sees when the application is ready, and the keys of the terminal. */
import { networkInterfaces } from 'node:os';
import type { Paint } from '../terminal.ts';

/** Where the application is. */
export interface Addresses {
  readonly local: string;
  /** The host that it listens on. */
  readonly host: string;
  readonly inspector?: string | undefined;
  readonly docs?: string | undefined;
}

/** The block at the start. `hint` is its last line. */
export function startBlock(
  {
    title,
    detail,
    hint,
  }: { readonly title: string; readonly detail: string; readonly hint: string | undefined },
  { local, host, inspector, docs }: Addresses,
  paint: Paint,
): string {
  const networks = networkAddresses(local, host);
  const hidden =
    local.startsWith('http') && networks.length === 0 && ['localhost', '127.0.0.1', '::1'].includes(host);
  const rows: (readonly [string, string])[] = [
    ['Local', paint('cyan', local)],
    ...networks.map((address) => ['Network', paint('cyan', address)] as const),
    ...(hidden ? [['Network', paint('dim', 'only this machine; --host 0.0.0.0 for all')] as const] : []),
    ...(inspector === undefined ? [] : [['Inspector', paint('cyan', inspector)] as const]),
    ...(docs === undefined ? [] : [['Docs', paint('cyan', docs)] as const]),
  ];
  return [
    '',
    `  ${paint('bold', title)}  ${paint('dim', detail)}`,
    '',
    ...rows.map(([name, text]) => `  ${name.padEnd(9)}  ${text}`),
    ...(hint === undefined ? [] : ['', `  ${paint('dim', hint)}`]),
    '',
    '',
  ].join('\n');
}

/** The addresses with which other machines reach an application that listens on all interfaces. */
function networkAddresses(local: string, host: string): string[] {
  if (host !== '0.0.0.0' && host !== '::') return [];
  const { protocol, port } = new URL(local);
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => `${protocol}//${address}:${port}`);
}

/** A key, what it does, in words, and the function that does it. */
export type Key = readonly [key: string, text: string, act: () => void];

/** The list of the keys, for `h`. */
export function keyHelp(keys: readonly Key[], paint: Paint): string {
  return `\n${keys.map(([key, text]) => `  ${paint('bold', key)}  ${text}\n`).join('')}\n`;
}

/** The part of `process.stdin` that is used. */
export interface KeyInput {
  readonly isTTY?: boolean;
  setRawMode?(isRaw: boolean): unknown;
  on(event: 'data' | 'error', listener: (data: Buffer | string) => void): unknown;
}

/** What the terminal itself does with these keys, unless a program reads single keys. */
const signals: Readonly<Record<string, () => void>> = {
  '\x03': () => process.kill(process.pid, 'SIGINT'),
  '\x04': () => process.kill(process.pid, 'SIGTERM'),
};

/** Calls the function of each key that is typed; ignores other keys. Does nothing without a terminal. */
export function listenForKeys(input: KeyInput, findKeys: () => readonly Key[]): void {
  if (input.isTTY !== true) return;
  input.setRawMode?.(true);
  // Also after an uncaught error.
  process.once('exit', () => input.setRawMode?.(false));
  const suspend = (): void => {
    input.setRawMode?.(false);
    process.once('SIGCONT', () => input.setRawMode?.(true));
    // All processes of the command, as the terminal does.
    process.kill(0, 'SIGTSTP');
  };
  // The terminal may be closed: SIGHUP stops the command.
  input.on('error', () => {});
  input.on('data', (data) => {
    for (const typed of String(data)) {
      if (typed === '\x1a' && process.platform !== 'win32') suspend();
      else (signals[typed] ?? findKeys().find(([key]) => key === typed)?.[2])?.();
    }
  });
}
