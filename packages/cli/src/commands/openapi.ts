/** `ambit openapi`: writes the OpenAPI document of an application, or checks the file that is in the repository. */

import { toCommandError } from '../application/application-failure.ts';
import { loadFor } from '../application/framework.ts';
import { bootApplication } from '../application/load-application.ts';
import type { CommandLine } from '../command.ts';
import { findDifference, writeOrCheck } from '../output-file.ts';
import { reserveStdout } from '../terminal.ts';

type OpenAPI = typeof import('@ambit/openapi');

export function run(line: CommandLine): Promise<number> {
  reserveStdout();
  return writeOrCheck(line, {
    defaultName: 'openapi.json',
    noun: 'document',
    createText: (name) => describe(line.arguments[0], isYaml(name)),
    compare,
  });
}

function isYaml(name: string): boolean {
  return /\.ya?ml$/.test(name);
}

async function describe(appArgument: string | undefined, asYaml: boolean): Promise<string> {
  const { app, file, displayPath } = await bootApplication(appArgument);
  const { toOpenAPI } = loadFor<OpenAPI>(file, '@ambit/openapi');
  let document: object;
  try {
    document = await toOpenAPI(app as never);
  } catch (cause) {
    throw toCommandError(cause, displayPath, 'the application cannot be described');
  }
  await app.close();
  return asYaml ? (await import('yaml')).stringify(document) : `${JSON.stringify(document, null, 2)}\n`;
}

/** Compares the values in the files, so that a different indentation or order of keys does not make a file stale. */
async function compare(name: string, before: string, text: string): Promise<string | undefined> {
  const { parse } = await import('yaml');
  const read: (text: string) => unknown = isYaml(name) ? (content) => parse(content) : JSON.parse;
  let content: unknown;
  try {
    content = read(before);
  } catch (error) {
    return `it cannot be read: ${(error as Error).message.split('\n')[0]}`;
  }
  return findDifference(content, read(text));
}
