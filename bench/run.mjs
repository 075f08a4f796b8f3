// Runs the benchmark: progress goes to stderr, the report in Markdown to stdout, section by section.
import { readFileSync } from 'node:fs';
import { describeMachine } from './machine.mjs';
import { readOptions } from './options.mjs';
import { writeLosses, writeSection } from './report.mjs';
import { measureLatency, measureRequests } from './requests.mjs';
import { measureStartup } from './startup/measure.mjs';
import { measureTypes } from './types/measure.mjs';

const measurers = {
  requests: measureRequests,
  latency: measureLatency,
  startup: measureStartup,
  types: measureTypes,
};

async function run(options) {
  const startedMs = performance.now();
  const show = (/** @type {string} */ what) =>
    console.error(`${((performance.now() - startedMs) / 60_000).toFixed(1)} min: ${what}`);
  const command = `\`npm run bench -- ${process.argv.slice(2).join(' ')}\``;
  console.log([command, ...describeMachine(options.nodes)].map((line) => `- ${line}\n`).join(''));
  const sections = [];
  for (const name of options.sections) {
    for (const section of await measurers[name](options, show)) {
      sections.push(section);
      console.log(writeSection(section));
    }
  }
  console.log(writeLosses(sections));
}

/** The README explains the options. */
function showHelp() {
  const readme = readFileSync(new URL('README.md', import.meta.url), 'utf8');
  console.log(readme.slice(0, readme.indexOf('## Method')).trimEnd());
}

try {
  const options = readOptions(process.argv.slice(2));
  if (options.help) showHelp();
  else await run(options);
} catch (error) {
  // A slow result is not a failure. A server that does not run, or that sends a wrong response, is one.
  console.error(`${error.name}: ${error.message}`);
  process.exit(1);
}
