// Runs one command line after the other, each in its folder, as `bin/ambit.mjs` runs one. Each message of the parent is a command
// line; the answer is its exit code, and both outputs end with a mark.
import { main } from '../../dist/main.mjs';

const { exit, emitWarning } = process;
const variables = { ...process.env };
const outputs = [process.stdout, process.stderr];
const writes = outputs.map(({ write }) => write);
const watched = [process, ...outputs];

process.once('disconnect', () => exit());
process.on('message', async ({ folder, args, mark }) => {
  const listeners = watched.map((emitter) => listenersOf(emitter));
  process.chdir(folder);
  process.argv.splice(2, Number.POSITIVE_INFINITY, ...args);
  const code = await new Promise((resolve) => {
    process.exit = (exitCode = process.exitCode ?? 0) => {
      process.emit('exit', exitCode);
      resolve(exitCode);
    };
    main(args);
  });
  restore(listeners);
  for (const output of outputs) output.write(mark);
  process.send(code);
});

function listenersOf(emitter) {
  return new Map(emitter.eventNames().map((event) => [event, emitter.rawListeners(event)]));
}

/** Undoes what the command and its application have changed. */
function restore(listeners) {
  for (const [at, emitter] of watched.entries())
    for (const event of emitter.eventNames())
      for (const listener of emitter.rawListeners(event))
        if (!listeners[at].get(event)?.includes(listener)) emitter.off(event, listener);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, variables);
  for (const [at, output] of outputs.entries()) output.write = writes[at];
  Object.assign(process, { emitWarning, exitCode: undefined });
}
