/** Finds the line of the user's program that an error comes from. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { packageName, shownPath } from './find-application.ts';

const frame = /(?:^|[\s(])((?:file:\/\/)?(?:\/|[A-Za-z]:[\\/])[^\n()]*?):(\d+)(?::\d+)?\)?$/;

/** @returns `src/app.ts:12`; `undefined` if no line of the stack is in the program. */
export function placeInProgram(error: unknown): string | undefined {
  const { where, stack } = Object(error) as { where?: { file?: unknown }; stack?: unknown };
  const lines = [...String(stack).split('\n'), where?.file];
  for (const text of lines) {
    const place = readFrame(String(text));
    if (place !== undefined) return place;
  }
  return undefined;
}

/** @returns The place that a line of a stack trace names, if it is in the program. */
export function readFrame(text: string): string | undefined {
  const [, file, line] = frame.exec(text) ?? [];
  if (file === undefined) return undefined;
  const path = file.startsWith('file:') ? fileURLToPath(file.replace(/\?.*$/, '')) : file;
  return isForeign(path) ? undefined : `${shownPath(path)}:${line}`;
}

/**
 * The place of an error of syntax. It is the first line of the stack if Node has removed types. Otherwise Node shows it only
 * where such an error ends a process, so another one imports the module.
 */
export function placeOfSyntaxError(error: SyntaxError, url: string): string | undefined {
  const place = readFrame(String(error.stack).split('\n')[0]!);
  if (place !== undefined) return place;
  const program = `await import(${JSON.stringify(url)})`;
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 5_000,
  });
  return readFrame(stderr.split('\n')[0]!);
}

/** Whether a file belongs to a library, or to Ambit itself, which is not in `node_modules` where it is developed. */
function isForeign(path: string): boolean {
  return path.includes('node_modules') || /^(@ambit\/|ambit$)/.test(packageName(path) ?? '');
}
