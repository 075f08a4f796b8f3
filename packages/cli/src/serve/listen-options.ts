/** Where to listen: from the command line, the environment, or a free port. */

import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type CommandLine, integerOption, usageError } from '../command.ts';

export interface ListenAddress {
  readonly port: number;
  readonly host: string;
}

/** Where to listen: `given` on the command line; else where the program asks to listen; else `otherwise`, from the environment. */
export interface ListenPlace {
  readonly given: Partial<ListenAddress>;
  readonly otherwise: ListenAddress;
}

const ports = [0, 65_535] as const;

export function readListenOptions(line: CommandLine): ListenPlace {
  const { PORT, HOST } = process.env;
  const host = line.options.host as string | undefined;
  const port = integerOption(line, 'port', ports);
  const otherwise = {
    port: (port === undefined ? readPort(line, PORT) : port) ?? 3000,
    host: HOST || 'localhost',
  };
  return { given: { ...(port !== undefined && { port }), ...(host !== undefined && { host }) }, otherwise };
}

function readPort(line: CommandLine, text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  const port = Number(text);
  if (Number.isInteger(port) && port >= ports[0] && port <= ports[1]) return port;
  throw usageError(`the variable PORT is \`${text}\`, not a port`, line.command);
}

/** Replaces a port of 0 by a free one, because several processes listen on it, one after another. */
export async function fixPort({ given, otherwise }: ListenPlace): Promise<ListenPlace> {
  if (given.port !== 0 && otherwise.port !== 0) return { given, otherwise };
  const server = createServer().listen(0, given.host ?? otherwise.host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return { given: { ...given, ...(given.port === 0 && { port }) }, otherwise: { ...otherwise, port } };
}
