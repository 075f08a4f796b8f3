// Runs one command line after the other, each in its folder, as `bin/create-ambit.cjs` runs one. Each message of the parent is a
// command line; the answer is its exit code, and both outputs end with a mark.
const { join } = require('node:path');
const { main } = require('../../dist/main.cjs');

const variables = { ...process.env };

process.once('disconnect', () => process.exit());
process.on('message', async ({ folder, args, env, mark }) => {
  process.chdir(folder);
  process.argv.splice(2, Number.POSITIVE_INFINITY, ...args);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, variables, env);
  await main(join(__dirname, '../../dist/templates'));
  for (const output of [process.stdout, process.stderr]) output.write(mark);
  const { exitCode } = process;
  process.exitCode = undefined;
  process.send(exitCode);
});
