/** `ambit request`: sends a request to an application without opening a port. */
import { readFileSync } from 'node:fs';
import type { InjectResponse } from 'ambit';
import { bootApplication } from '../application/load-application.ts';
import { CommandError, type CommandLine, exitCodes, usageError } from '../command.ts';
import { print, printJson, reserveStdout } from '../terminal.ts';

interface InjectedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string | string[]>;
  readonly body: Buffer | undefined;
}

export async function run(line: CommandLine): Promise<number> {
  reserveStdout();
  const { request, appArgument } = readRequest(line);
  const { app } = await bootApplication(appArgument);
  const { method, url, headers, body } = request;
  const response = (await app.inject({
    method,
    url,
    headers,
    ...(body !== undefined && { payload: body }),
    payloadAsStream: true,
  })) as InjectResponse;
  if (line.options.json) await printJson(await asJson(response));
  else {
    if (line.options.include) await print(head(response));
    for await (const chunk of response.stream()) await print(chunk as Buffer);
    if (process.stdout.isTTY) await print('\n');
  }
  await app.close();
  return line.options.fail && response.statusCode >= 400 ? exitCodes.httpError : exitCodes.ok;
}

/** Reads `[METHOD] <path> [app]`. A path begins with a slash, or is a complete URL. */
function readRequest({ command, options, arguments: args }: CommandLine): {
  request: InjectedRequest;
  appArgument: string | undefined;
} {
  const pathIndex = args.findIndex((argument) => /^(\/|https?:\/\/)/.test(argument));
  if (pathIndex !== 0 && pathIndex !== 1) {
    throw usageError(
      args.length === 0 ? 'there is no path to request' : `no argument is a path: \`${args.join(' ')}\``,
      command,
    );
  }
  const [url, appArgument, more] = args.slice(pathIndex) as [string, string?, string?];
  if (more !== undefined) throw usageError(`unexpected argument \`${more}\``, command);
  const body = readBody(options.data as string | undefined);
  const method = pathIndex === 1 ? args[0]!.toUpperCase() : body === undefined ? 'GET' : 'POST';
  const headers = readHeaders((options.header ?? []) as string[], command);
  if (body !== undefined && headers['content-type'] === undefined)
    headers['content-type'] = isJson(body) ? 'application/json' : 'text/plain';
  return { request: { method, url, headers, body }, appArgument };
}

function readBody(data: string | undefined): Buffer | undefined {
  if (data === undefined || !data.startsWith('@')) return data === undefined ? undefined : Buffer.from(data);
  const name = data.slice(1);
  try {
    return readFileSync(name === '-' ? 0 : name);
  } catch (cause) {
    throw new CommandError({
      file: name === '-' ? 'standard input' : name,
      problem: `it cannot be read: ${(cause as Error).message}`,
      remedy: 'The name after @ is a file that holds the body.',
      exitCode: exitCodes.usage,
      cause,
    });
  }
}

function readHeaders(lines: readonly string[], command: string): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  for (const line of lines) {
    const [, name, value] = /^([^:\s]+):\s*(.*)$/.exec(line) ?? [];
    if (name === undefined) throw usageError(`\`${line}\` is not a header: \`name: value\``, command);
    const key = name.toLowerCase();
    headers[key] = headers[key] === undefined ? value! : [headers[key], value!].flat();
  }
  return headers;
}

function isJson(body: Buffer): boolean {
  try {
    JSON.parse(body.toString());
    return true;
  } catch {
    return false;
  }
}

function head({ statusCode, statusMessage, headers }: InjectResponse): string {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((one) => `${name}: ${one}`),
  );
  return `HTTP/1.1 ${statusCode} ${statusMessage}\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n`;
}

/** The response as one object. A body that is not JSON is a string. */
async function asJson(response: InjectResponse): Promise<object> {
  const chunks: Buffer[] = [];
  for await (const chunk of response.stream()) chunks.push(Buffer.from(chunk as Buffer));
  const bytes = Buffer.concat(chunks);
  const { statusCode: status, headers } = response;
  const isValue = /[/+]json\b/.test(String(headers['content-type'] ?? '')) && isJson(bytes);
  return { status, headers, body: isValue ? JSON.parse(bytes.toString()) : bytes.toString() };
}
