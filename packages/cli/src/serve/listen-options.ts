/** Where to listen: from the command line, the environment, or a free port. */

import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type CommandLine, integerOption, usageError } from '../command.ts';
import type { ListenAddress } from './serve-application.ts';

const ports = [0, 65_535] as const;

export function readListenOptions(line: CommandLine, defaultPort: number): ListenAddress {
  const { PORT, HOST } = process.env;
  const host = (line.options.host as string | undefined) ?? (HOST || 'localhost');
  return { host, port: integerOption(line, 'port', ports) ?? readPort(line, PORT) ?? defaultPort };
}

function readPort(line: CommandLine, text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  const port = Number(text);
  if (Number.isInteger(port) && port >= ports[0] && port <= ports[1]) return port;
  throw usageError(`the variable PORT is \`${text}\`, not a port`, line.command);
}

/** @returns The port itself, unless it is 0. */
export async function fixPort(port: number, host: string): Promise<number> {
  if (port !== 0) return port;
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const { port: free } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return free;
}
