/** `ambit types`: writes the types of the routes for a typed client in another repository. */
import { bootApplication } from '../application/load-application.ts';
import type { CommandLine } from '../command.ts';
import { writeOrCheck } from '../output-file.ts';
import { reserveStdout } from '../terminal.ts';
import { declareRoutes } from '../types/declare-routes.ts';

export function run(line: CommandLine): Promise<number> {
  reserveStdout();
  return writeOrCheck(line, {
    defaultName: 'app-routes.d.ts',
    noun: 'declaration',
    createText: async () => {
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
  const index = current.findIndex((line, i) => line !== old[i]);
  const line = index === -1 ? current.length : index;
  return `line ${line + 1} is \`${old[line]?.trim() ?? ''}\` in the file and \`${current[line]?.trim() ?? ''}\` in the application`;
}
