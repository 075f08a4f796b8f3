/** Opens an address in a browser. */
import { spawn } from 'node:child_process';

/** Opens an address with the program in `BROWSER`, or with that of the system. Errors are ignored, because the address is also printed. */
export function open(url: string): void {
  const [command = '', ...args] = process.env.BROWSER?.split(' ') ??
    openers[process.platform] ?? ['xdg-open'];
  spawn(command, [...args, url], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref();
}

const openers: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};
