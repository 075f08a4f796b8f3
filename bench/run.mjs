// Runs the benchmark: progress goes to stderr, the report in Markdown to stdout, section by section.
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

async function run() {
  const options = readOptions(process.argv.slice(2));
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

// A slow result is not a failure. A server that does not run, or that sends a wrong response, is one.
run().catch(({ name, message }) => {
  console.error(`${name}: ${message}`);
  process.exit(1);
});
