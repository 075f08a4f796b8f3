/** `ambit openapi`: writes the OpenAPI document of an application, or checks the file that is in the repository. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { loadFor } from '../application/framework.ts';
import { bootApplication, failureOf } from '../application/load-application.ts';
import type { CommandLine } from '../command.ts';
import { CommandError, exitCodes } from '../command-error.ts';
import { findDifference } from '../find-difference.ts';
import { print, printJson, reserveStdout } from '../output.ts';

type OpenAPI = typeof import('@ambit/openapi');

/** What the command has done with the file. */
type Status = 'written' | 'unchanged' | 'current' | 'stale';

export async function run({ options, arguments: [named] }: CommandLine): Promise<number> {
  reserveStdout();
  const target = (options.output as string | undefined) ?? 'openapi.json';
  if (options.check && target === '-') {
    throw new CommandError({ problem: '--check needs a file to compare with', exitCode: exitCodes.usage });
  }
  const text = await describe(named, /\.ya?ml$/.test(target));
  if (target === '-') {
    await print(text);
    return exitCodes.ok;
  }
  const before = existsSync(target) ? readFileSync(target, 'utf8') : undefined;
  if (options.check) return check(target, before, text, options.json === true);
  if (before !== text) writeFileSync(target, text);
  await report(target, before === text ? 'unchanged' : 'written', undefined, options.json === true);
  return exitCodes.ok;
}

async function describe(named: string | undefined, isYaml: boolean): Promise<string> {
  const { app, file, shown } = await bootApplication(named);
  const { toOpenAPI } = loadFor<OpenAPI>(file, '@ambit/openapi');
  let document: object;
  try {
    document = await toOpenAPI(app as never);
  } catch (cause) {
    throw failureOf(cause, shown, 'the application cannot be described');
  }
  await app.close();
  return isYaml ? (await import('yaml')).stringify(document) : `${JSON.stringify(document, null, 2)}\n`;
}

/** Compares what the files mean: neither indentation nor the order of keys makes one stale. */
async function check(
  file: string,
  before: string | undefined,
  text: string,
  isJson: boolean,
): Promise<number> {
  const difference = before === undefined ? 'there is no such file' : await compare(file, before, text);
  if (difference === undefined) {
    await report(file, 'current', undefined, isJson);
    return exitCodes.ok;
  }
  if (isJson) await report(file, 'stale', difference, true);
  const remedy = `Run \`ambit openapi${file === 'openapi.json' ? '' : ` -o ${file}`}\`, and commit the file.`;
  throw new CommandError({ file, problem: `the document is stale: ${difference}`, remedy });
}

async function compare(file: string, before: string, text: string): Promise<string | undefined> {
  const { parse } = await import('yaml');
  const read: (text: string) => unknown = /\.ya?ml$/.test(file) ? (text) => parse(text) : JSON.parse;
  let content: unknown;
  try {
    content = read(before);
  } catch (error) {
    return `it cannot be read: ${(error as Error).message.split('\n')[0]}`;
  }
  return findDifference(content, read(text), { left: 'the file', right: 'the application' });
}

async function report(
  file: string,
  status: Status,
  difference: string | undefined,
  isJson: boolean,
): Promise<void> {
  if (isJson) await printJson({ file, status, ...(difference !== undefined && { difference }) });
  else await print(`${file}: ${status}\n`);
}
