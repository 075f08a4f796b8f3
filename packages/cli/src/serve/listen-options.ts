/** Reads where to listen from the command line and the environment. */
import type { CommandLine } from '../command.ts';
import { usageError } from '../command-error.ts';
import { integerOption } from '../parse-command-line.ts';
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
