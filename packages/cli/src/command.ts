/** Declares a command: the content of its help, and its code, which is loaded only when it is needed. */

export interface OptionDefinition {
  readonly type: 'string' | 'boolean';
  /** The text in the help. */
  readonly description: string;
  /** One letter. */
  readonly short?: string;
  readonly multiple?: boolean;
  /** A name for the value in the help, in capitals. */
  readonly value?: string;
}

export interface CommandDefinition {
  readonly name: string;
  /** What it does, in one line. */
  readonly summary: string;
  /** The text after the name of the command: `[options] [app]`. */
  readonly usage: string;
  /** The greatest number of arguments, including the application. */
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
  /** The arguments after `--`. */
  readonly rest: readonly string[];
}

/** Options that every command has. */
export const commonOptions: Readonly<Record<string, OptionDefinition>> = {
  stack: { type: 'boolean', description: 'Show the stack trace of an error (or set DEBUG)' },
  help: { type: 'boolean', short: 'h', description: 'Show this help' },
};
