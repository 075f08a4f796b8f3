/** What a command is: what its help shows, and the code that runs, which is loaded only when it is needed. */

export interface OptionDefinition {
  readonly type: 'string' | 'boolean';
  /** What the help says. */
  readonly description: string;
  /** One letter. */
  readonly short?: string;
  readonly multiple?: boolean;
  /** What the value is, in capitals, for the help. */
  readonly value?: string;
}

export interface CommandDefinition {
  readonly name: string;
  /** What it does, in one line. */
  readonly summary: string;
  /** What follows the name: `[options] [app]`. */
  readonly usage: string;
  /** How many arguments it takes at most, the application included. */
  readonly maxArguments: number;
  readonly options: Readonly<Record<string, OptionDefinition>>;
  /** More lines of help: examples, environment, exit codes. */
  readonly notes?: readonly string[];
  /** Whether another command may follow `--`. */
  readonly takesCommand?: boolean;
  load(): Promise<{ run(line: CommandLine): Promise<number> }>;
}

export interface CommandLine {
  readonly command: string;
  readonly options: Readonly<Record<string, string | boolean | string[] | undefined>>;
  readonly arguments: readonly string[];
  /** What follows `--`. */
  readonly rest: readonly string[];
}

/** Options that every command has. */
export const commonOptions: Readonly<Record<string, OptionDefinition>> = {
  stack: { type: 'boolean', description: 'Show the stack trace of an error (or set DEBUG)' },
  help: { type: 'boolean', short: 'h', description: 'Show this help' },
};
