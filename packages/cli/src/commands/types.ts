/** `ambit types`: writes the types of the routes for a typed client in another repository. */
import { bootApplication } from '../application/load-application.ts';
import type { CommandLine } from '../command.ts';
import { reserveStdout } from '../output.ts';
import { declareRoutes } from '../types/declare-routes.ts';
import { writeOrCheck } from '../written-file.ts';

export function run(line: CommandLine): Promise<number> {
  reserveStdout();
  return writeOrCheck(line, {
    defaultName: 'app-routes.d.ts',
    noun: 'declaration',
    make: async () => {
      const { app, framework } = await bootApplication(line.arguments[0]);
      const text = declareRoutes(framework.listRoutes(app), framework);
      await app.close();
      return text;
    },
    compare: findFirstLine,
  });
}

/** @returns The first line that differs. */
function findFirstLine(_name: string, before: string, text: string): string | undefined {
  if (before === text) return undefined;
  const [old, current] = [before.split('\n'), text.split('\n')];
  const at = current.findIndex((line, i) => line !== old[i]);
  const line = at === -1 ? current.length : at;
  return `line ${line + 1} is \`${old[line]?.trim() ?? ''}\` in the file and \`${current[line]?.trim() ?? ''}\` in the application`;
}
