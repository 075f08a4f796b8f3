/** The command line and its help. */
import { parseArgs } from 'node:util';
import { findRuntime, type Runtime, runtimes, UsageError } from './requirements.ts';

/** The templates with their descriptions. The first is the default. */
export const templates = {
  minimal: 'one file and one test',
  service: 'a notes API: database, users, tokens, files, events, OpenAPI, CI',
} as const;

export type Template = keyof typeof templates;

/** The parsed arguments. A value is `undefined` if the user did not pass it. */
export interface Arguments {
  folder: string | undefined;
  template: Template | undefined;
  runtime: Runtime | undefined;
  isJavaScript: boolean;
  /** Whether missing values get their defaults, instead of asking for them. */
  usesDefaults: boolean;
  /** `undefined` if the user did not say it. */
  installsPackages: boolean | undefined;
  startsGit: boolean;
  infoOption: 'help' | 'version' | undefined;
}

const options = {
  template: { type: 'string', short: 't' },
  runtime: { type: 'string', short: 'r' },
  javascript: { type: 'boolean' },
  yes: { type: 'boolean', short: 'y' },
  install: { type: 'boolean' },
  'no-install': { type: 'boolean' },
  git: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const;

/**
 * @param args The arguments after the name of the program.
 * @throws {UsageError} for an option that does not exist, a value that is not allowed, and a second folder.
 */
export function readArguments(args: string[]): Arguments {
  const { values, positionals } = parse(args);
  if (positionals.length > 1) throw new UsageError(explainSecondFolder(positionals));
  const { template, javascript = false, yes = false, install, git = false } = values;
  if (template !== undefined && !isTemplate(template)) {
    const names = Object.keys(templates).join(' and ');
    throw new UsageError(`there is no template \`${template}\`. The templates are ${names}`);
  }
  const runtime = values.runtime === undefined ? undefined : readRuntime(values.runtime);
  return {
    folder: positionals[0],
    template,
    runtime,
    isJavaScript: javascript,
    usesDefaults: yes || javascript || template !== undefined || runtime !== undefined,
    installsPackages: values['no-install'] ? false : install,
    startsGit: git,
    infoOption: values.help ? 'help' : values.version ? 'version' : undefined,
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const [, withoutValue] =
      /^Option '(?:-\w, )?--(template|runtime)\b.*(?:missing|ambiguous)/.exec(message) ?? [];
    if (withoutValue !== undefined) throw new UsageError(explainMissingValue(withoutValue));
    const [, unknown] = /^Unknown option '(.*?)'/.exec(message) ?? [];
    throw new UsageError(`${unknown ? `there is no option \`${unknown}\`` : message}. See --help`);
  }
}

function explainMissingValue(option: string): string {
  const values = Object.keys(option === 'template' ? templates : runtimes).map((value) => `\`${value}\``);
  return `\`--${option}\` needs a value: ${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
}

/** @throws {UsageError} for an unknown runtime. */
function readRuntime(name: string): Runtime {
  const runtime = findRuntime(name);
  if (runtime !== undefined) return runtime;
  throw new UsageError(
    `there is no runtime \`${name}\`. The runtimes are ${Object.keys(runtimes).join(', ')}`,
  );
}

function isTemplate(name: string): name is Template {
  return Object.hasOwn(templates, name);
}

/** npm removes options without `--` before them, but leaves their values, so a value can become the second folder. */
function explainSecondFolder([folder, second]: string[]): string {
  if (second !== undefined && isTemplate(second))
    return `npm keeps options for itself unless they follow \`--\`. Write: npm create ambit ${folder} -- --template ${second}`;
  return `one folder is enough, but there are two: \`${folder}\` and \`${second}\``;
}

const describe = (option: string, values: Record<string, string>): string =>
  Object.entries(values)
    .map(
      ([name, text], i) =>
        `${i === 0 ? option : ' '.repeat(23)}  ${name.padEnd(10)}  ${text}${i === 0 ? ' (the default)' : ''}`,
    )
    .join('\n');

export const help: string = `Creates an Ambit application.

Usage:
  npm create ambit [folder] [-- options]
  pnpm create ambit [folder] [options]      (yarn and bun: the same)

On a terminal, it asks for the folder, the runtime and the template, and then installs the
packages. With --template, --runtime, --javascript or --yes, and without a terminal, it asks
nothing: what you leave out is the folder my-api, the template minimal, Node, and TypeScript
(JavaScript on a Node that cannot run TypeScript).

Options:
${describe('  -t, --template <name>', templates)}
${describe('  -r, --runtime <name> ', runtimes)}
      --javascript         JavaScript instead of TypeScript
  -y, --yes                asks nothing
      --install            installs the packages, without questions too
      --no-install         does not install them after the questions
      --git                starts a Git repository
  -h, --help               prints this text
  -v, --version            prints the version

On Node, TypeScript and the template service need version 22.18 or newer, and the template
minimal in JavaScript needs 20.19. Workers need Node 22.18 to be built.
`;
