// Finds the folder of a new application among the arguments that `npm run create` passes on to create-ambit.
import { parseArgs } from 'node:util';

/** The options of create-ambit that take a value. It checks the others, and reports unknown ones. */
const options = {
  template: { type: 'string', short: 't' },
  runtime: { type: 'string', short: 'r' },
};

/** @returns {string | undefined} The first argument that is neither an option nor the value of one. */
export function findApplicationFolder(/** @type {string[]} */ args) {
  const { positionals } = parseArgs({ args, options, strict: false, allowPositionals: true });
  return positionals[0];
}
