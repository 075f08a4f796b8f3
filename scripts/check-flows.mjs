// Fails if one of six flows runs functions of more source files, or more functions, than it may: each file is a door that a reader opens.
// The tool that counts them stands beside the repository; without it, `--if-present` checks nothing.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './steps.mjs';

/** Files that run, and for a POST also functions. When code goes, lower them; a limit is not raised in passing (sizes.mjs). */
const limits = { boot: 62, get: 26, post: 31, fail: 27, stream: 26, close: 13, 'functions of post': 139 };
/** On a busy machine a body comes in two parts, or a timer rings: more code runs, never less. So a flow has the smallest number of some runs. */
const runs = 5;

const tool = join(root, '../shared/tools/files-that-run.mjs');
if (!existsSync(tool) && process.argv.includes('--if-present')) {
  console.log(`flows: not counted, because ${tool} does not exist`);
} else {
  let exceeded = Object.keys(limits);
  for (let run = 0; run < runs && exceeded.length > 0; run++) {
    const counts = count();
    exceeded = exceeded.filter((flow) => !(counts[flow] <= limits[flow]));
    for (const flow of exceeded) console.error(`flows: ${flow}: ${counts[flow]}, of at most ${limits[flow]}`);
  }
  process.exitCode = exceeded.length === 0 ? 0 : 1;
}

/** Runs the flows once: files of each flow, and functions of a POST. */
function count() {
  const { status, stdout } = spawnSync(process.execPath, [tool], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.stdout.write(stdout);
  if (status !== 0) throw new Error(`${tool} failed`);
  const functions = Number(/^post +\d+ files +(\d+) functions$/m.exec(stdout)?.[1]);
  return { ...JSON.parse(stdout.trimEnd().split('\n').at(-1)), 'functions of post': functions };
}
