/** Runs the compiler on small programs, as an application of its own would: against the build of the package. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** One error of the compiler: the text that it marks, from there to the end of the line, and what it says, line by line. */
export interface Diagnostic {
  at: string;
  lines: string[];
}

/** What the compiler says of each of the programs, in their order. They are modules of one run. */
export function compile(programs: readonly string[]): Diagnostic[][] {
  mkdirSync(`${root}.cache`, { recursive: true });
  const folder = mkdtempSync(`${root}.cache/messages-`);
  try {
    const files = programs.map((program, i) => {
      writeFileSync(`${folder}/program-${i}.mts`, program);
      return `program-${i}.mts`;
    });
    writeFileSync(`${folder}/tsconfig.json`, JSON.stringify({ compilerOptions, files }));
    const compiler = `${root}node_modules/typescript/bin/tsc`;
    const { stdout, status } = spawnSync(process.execPath, [compiler, '-p', folder, '--pretty', 'false'], {
      cwd: folder,
      encoding: 'utf8',
    });
    if (status === null) throw new Error('the compiler did not run');
    return programs.map((program, i) => diagnosticsOf(stdout, `program-${i}.mts`, program));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const compilerOptions = {
  strict: true,
  target: 'es2023',
  module: 'nodenext',
  types: ['node'],
  skipLibCheck: true,
  noEmit: true,
};

/** @throws when an error stands elsewhere than in the program, such as in a declaration. */
function diagnosticsOf(output: string, file: string, program: string): Diagnostic[] {
  const text = program.split('\n');
  return output
    .split(/^(?=\S)/m)
    .filter((entry) => entry !== '')
    .map((entry) => {
      const [, path = '', line, column, said = ''] =
        /^(\S+)\((\d+),(\d+)\): error TS\d+: ([\s\S]*)$/.exec(entry) ?? [];
      if (!basename(path).startsWith('program-')) throw new Error(entry);
      const at = text[Number(line) - 1]?.slice(Number(column) - 1) ?? '';
      return { path, at, lines: said.trimEnd().split('\n') };
    })
    .filter(({ path }) => basename(path) === file)
    .map(({ at, lines }) => ({ at, lines }));
}
