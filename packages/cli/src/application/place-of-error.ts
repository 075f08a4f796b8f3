/** Finds the line of the user's program that an error comes from. */
import { fileURLToPath } from 'node:url';
import { packageName, shownPath } from './find-application.ts';

const frame = /(?:^|[\s(])((?:file:\/\/)?(?:\/|[A-Za-z]:[\\/])[^\n()]*?):(\d+)(?::\d+)?\)?$/;

/** @returns `src/app.ts:12`; `undefined` if no line of the stack is in the program. */
export function placeInProgram(error: unknown): string | undefined {
  const { where, stack } = Object(error) as { where?: { file?: unknown }; stack?: unknown };
  const lines = [...String(stack).split('\n'), where?.file];
  for (const text of lines) {
    const [, file, line] = frame.exec(String(text)) ?? [];
    if (file === undefined) continue;
    const path = file.startsWith('file:') ? fileURLToPath(file.replace(/\?.*$/, '')) : file;
    if (!isForeign(path)) return `${shownPath(path)}:${line}`;
  }
  return undefined;
}

/** Whether a file belongs to a library, or to Ambit itself, which is not in `node_modules` where it is developed. */
function isForeign(path: string): boolean {
  return path.includes('node_modules') || /^(@ambit\/|ambit$)/.test(packageName(path) ?? '');
}
