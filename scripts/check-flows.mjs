// Fails if one of six flows runs functions of more source files, or more functions, than it may: each file is a door that a reader opens.
// The tool that counts them stands beside the repository; without it, `--if-present` checks nothing.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Files that run, and for a POST also functions (a few more on a busy machine, where timers ring). When code goes, lower them; a limit is not raised in passing (sizes.mjs). */
const limits = { boot: 63, get: 27, post: 32, fail: 29, stream: 27, close: 14 };
const postFunctions = 165;

const root = fileURLToPath(new URL('..', import.meta.url));
const tool = fileURLToPath(new URL('../../shared/tools/files-that-run.mjs', import.meta.url));
if (!existsSync(tool) && process.argv.includes('--if-present')) {
  console.log(`flows: not counted, because ${tool} does not exist`);
} else {
  const { status, stdout } = spawnSync(process.execPath, [tool], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.stdout.write(stdout);
  if (status !== 0) throw new Error(`${tool} failed`);
  const files = JSON.parse(stdout.trimEnd().split('\n').at(-1));
  const functions = Number(/^post +\d+ files +(\d+) functions$/m.exec(stdout)?.[1]);
  const exceeded = Object.entries(limits)
    .filter(([flow, limit]) => !(files[flow] <= limit))
    .map(([flow, limit]) => `flows: ${flow} runs in ${files[flow]} files, of at most ${limit}`);
  if (!(functions <= postFunctions))
    exceeded.push(`flows: post runs ${functions} functions, of at most ${postFunctions}`);
  for (const line of exceeded) console.error(line);
  process.exitCode = exceeded.length === 0 ? 0 : 1;
}
