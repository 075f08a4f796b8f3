// Runs programs one after the other in this process, as check-docs.mjs asks, and prints the path of each that passes.
//
// A program passes when its module was evaluated and nothing is left that would keep a process alive. At the first that
// does not pass, the process ends with exit code 100, unless a program that passed changes it when the process exits.
import { writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [timeoutMs, ...files] = process.argv.slice(2);
let current;
let timer;

// Node emits this whenever it would end.
process.on('beforeExit', () => {
  if (current !== undefined) {
    if (!current.isEvaluated || process.exitCode) process.exit(100);
    writeSync(1, `${current.file}\n`);
  }
  clearTimeout(timer);
  if (files.length > 0) start(files.shift());
});

function start(file) {
  const program = { file, isEvaluated: false };
  current = program;
  timer = setTimeout(() => process.exit(100), Number(timeoutMs)).unref();
  import(pathToFileURL(resolve(file)).href).then(
    () => {
      program.isEvaluated = true;
    },
    () => process.exit(100),
  );
}
