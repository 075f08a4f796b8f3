// Measures how long `ambit dev` takes from a change of a file to the new version: node packages/cli/bench/restart.mjs [node]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const rounds = 15;
const node = process.argv[2] ?? process.execPath;
const bin = fileURLToPath(new URL('../bin/ambit.mjs', import.meta.url));
const scratch = fileURLToPath(new URL('../../../.cache/cli/', import.meta.url));

mkdirSync(scratch, { recursive: true });
const folder = mkdtempSync(scratch);
const change = (text) => writeFileSync(`${folder}/greet.js`, `export const greet = () => '${text}';\n`);
writeFileSync(`${folder}/package.json`, '{ "type": "module" }');
writeFileSync(
  `${folder}/app.js`,
  `import { openapi } from '@ambit/openapi';
import { ambit } from 'ambit';
import { greet } from './greet.js';
const app = ambit();
app.register(openapi, { info: { title: 'Notes', version: '1.0.0' } });
app.get('/', { schema: { querystring: { limit: { type: 'integer' } } } }, () => greet());
export default app;
`,
);
change('0');

const child = spawn(node, [bin, 'dev', '--port', '0', '--json'], {
  cwd: folder,
  stdio: ['ignore', 'pipe', 'inherit'],
});
const lines = createInterface({ input: child.stdout });
const nextLine = async () => JSON.parse((await once(lines, 'line'))[0]);
await nextLine();
const times = [];
for (let i = 1; i <= rounds; i++) {
  const startedMs = performance.now();
  change(String(i));
  const { event } = await nextLine();
  if (event === 'restarted') times.push(performance.now() - startedMs);
}
child.kill('SIGINT');
await once(child, 'close');
rmSync(folder, { recursive: true });
const sorted = times.sort((a, b) => a - b);
console.log(
  `restart: median ${sorted[sorted.length >> 1].toFixed(0)} ms, minimum ${sorted[0].toFixed(0)} ms of ${sorted.length}`,
);
