/** The text of `--help`. */
import { templates } from './arguments.ts';

const templateLines = Object.entries(templates)
  .map(
    ([name, text], i) =>
      `${i === 0 ? '  -t, --template <name>' : ' '.repeat(23)}  ${name.padEnd(8)}  ${text}${i === 0 ? ' (the default)' : ''}`,
  )
  .join('\n');

export const help: string = `Creates an Ambit application.

Usage:
  npm create ambit [folder] [-- options]
  pnpm create ambit [folder] [options]      (yarn and bun: the same)

On a terminal, it asks for the folder, the template and the language. With --template,
--javascript or --yes, and without a terminal, it asks nothing: what you leave out is
the folder my-api, the template minimal, and TypeScript.

Options:
${templateLines}
      --javascript         JavaScript instead of TypeScript
  -y, --yes                asks nothing
      --install            installs the packages
      --git                starts a Git repository
  -h, --help               prints this text
  -v, --version            prints the version

TypeScript and the template service need Node 22.18 or newer. The template minimal in
JavaScript needs Node 20.19.
`;
