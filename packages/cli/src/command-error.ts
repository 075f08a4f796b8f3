/** Declares the error of a command: one line that says what is wrong, in which file, and what to do. */

/** The exit codes of the command. `docs/guide/tools.md` lists them. */
export const exitCodes = { ok: 0, failed: 1, usage: 2, httpError: 22 } as const;

export interface Failure {
  /** What is wrong, as a sentence without its full stop. */
  readonly problem: string;
  /** The file that is wrong, as the user would type it. */
  readonly file?: string | undefined;
  /** What to do, as a sentence. */
  readonly remedy?: string | undefined;
  readonly exitCode?: number;
  readonly cause?: unknown;
}

/** A failure that users can fix. It is reported in one line. */
export class CommandError extends Error {
  readonly exitCode: number;

  constructor({ problem, file, remedy, exitCode = exitCodes.failed, cause }: Failure) {
    const location = file === undefined ? '' : `${file}: `;
    const text = `${location}${sentence(problem)}${remedy === undefined ? '' : ` ${remedy}`}`;
    super(text.replaceAll(/\s*\n\s*/g, ' '), { cause });
    this.exitCode = exitCode;
  }
}

/** An error in the command line itself. */
export function usageError(problem: string, command?: string): CommandError {
  const help = command === undefined ? 'ambit --help' : `ambit ${command} --help`;
  return new CommandError({ problem, remedy: `See \`${help}\`.`, exitCode: exitCodes.usage });
}

function sentence(text: string): string {
  const trimmed = text.trim();
  return /[.?!]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
