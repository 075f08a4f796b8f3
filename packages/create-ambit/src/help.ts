/** The text of `--help`. */
import { templates } from './arguments.ts';
import { runtimes } from './runtime.ts';

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

On a terminal, it asks for the folder, the runtime, the template and the language. With
--template, --runtime, --javascript or --yes, and without a terminal, it asks nothing: what
you leave out is the folder my-api, the template minimal, Node, and TypeScript.

Options:
${describe('  -t, --template <name>', templates)}
${describe('  -r, --runtime <name> ', runtimes)}
      --javascript         JavaScript instead of TypeScript
  -y, --yes                asks nothing
      --install            installs the packages
      --git                starts a Git repository
  -h, --help               prints this text
  -v, --version            prints the version

On Node, TypeScript and the template service need version 22.18 or newer, and the template
minimal in JavaScript needs 20.19. Workers need Node 22.18 to be built.
`;
