// Reports the result of a run: in the terminal, and as docs/conformance.md with the figures by area of the framework.

/** The areas in the order of the report. A file belongs to the first area with a matching pattern of its path below `test/`. */
const areas = Object.entries({
  'HTTP/2 and HTTPS': /^https?2?\//,
  'Diagnostics and async context': /^diagnostics-channel\/|^als|^async_hooks/,
  'Module shape and types': /^esm\/|^imports|^internals\/all|^type-provider/,
  Logging: /logg|pino|^genReqId|^request-id/,
  'Not found': /^404/,
  Request: /^custom-querystring|^trust-proxy|^same-shape|^inject|^request-header|handle-request/,
  'Bodies and media types': /parser|^content-|media-type|^body-limit|poisoning|^post-empty/,
  Serialization: /serializ|^output-validation/,
  'Validation and schemas': /validat|schema|coercion|^fix-6411/,
  Errors: /error|^500s|^throw/,
  Hooks: /hooks|^issue-4959/,
  'Plugins and decorators': /plugin|decorator|^register|^middleware|^chainable/,
  'Life cycle of the server': /listen|close|server|timeout|dispose|^max-req|^upgrade|overflow/,
  'Options of the instance': /^fastify-instance|initial-config|^options\.test/,
  'Streams and web payloads': /stream|^web-api|^buffer/,
  Reply: /reply/,
  'Handlers and their context': /context|^async-await|^promises|^sync-/,
  Routing:
    /rout|^http-methods\/|^(?:delete|patch|put)\.|constrained|^versioned|^pretty-print|^url-|^case-|^use-semicolon|regex|^rfc-10008/,
  Other: /(?:)/,
});

export function areaOf(file) {
  return areas.find(([, pattern]) => pattern.test(file.replace(/^test\//, '')))[0];
}

/** The sum over the files that `isChosen` accepts. `totals` has the number of tests of each file. */
export function sumUp(outcomes, totals, isChosen = () => true) {
  const files = Object.keys(totals).filter(isChosen);
  const chosen = outcomes.filter(({ file }) => isChosen(file));
  return {
    files: files.length,
    passed: chosen.filter(({ status }) => status === 'pass').length,
    reachable: chosen.length,
    total: files.reduce((sum, file) => sum + totals[file], 0),
  };
}

/** One line for each test that needs attention, and the sum. */
export function describeResult({ regressed, stale, gained, onPurpose, open }, { all, required }) {
  const locate = ({ file, test }) => `${file}: ${test}`;
  // If a file crashes, all its tests are missing for the same reason, so it gets one line.
  const missing = new Map();
  for (const { file, test, status } of regressed)
    if (status === 'missing') missing.set(file, [...(missing.get(file) ?? []), test]);
  return [
    ...regressed
      .filter(({ status }) => status === 'fail')
      .map((it) => `STOPPED PASSING: ${locate(it)} (${(it.error ?? 'failed').split('\n')[0]})`),
    ...[...missing].map(
      ([file, tests]) => `STOPPED PASSING: ${file}: ${tests.length} never reported: ${tests.join(' | ')}`,
    ),
    ...stale.map((it) => `STALE REASON in scripts/conformance/on-purpose.json: ${locate(it)}`),
    ...gained.map((it) => `passes now, record it with --update: ${locate(it)}`),
    `conformance: ${all.passed} of ${all.reachable} reachable tests pass; ${required.passed} of ${required.reachable} in the ` +
      `required files; ${onPurpose.length} fail on purpose, ${open.length} are open, ${regressed.length} stopped passing`,
  ];
}

/** The text of the page. `facts` are `{ date, node, fastify, ambit }`, `isRequired` tells files apart. */
export function renderPage({ facts, outcomes, totals, isRequired, onPurpose, open }) {
  const { date, node, fastify, ambit } = facts;
  const sum = (name, isChosen) => ({ name, ...sumUp(outcomes, totals, isChosen) });
  const byArea = areas.map(([name]) => sum(name, (file) => areaOf(file) === name));
  return `# Conformance

The package of fastify ${fastify} contains its test suite. We run these files unchanged, except that they load \`@ambit/fastify\`
in place of Fastify. This repository contains no copy of the suite.

\`\`\`sh
npm run conformance
\`\`\`

Measured on ${date} with Node ${node}, fastify ${fastify} and @ambit/fastify ${ambit}.

${writeTable('', [sum('required files', isRequired), sum('other files', (file) => !isRequired(file)), sum('all')])}

*Reachable* tests are those that an implementation other than Fastify can pass: a second copy of Fastify passes them, if
the tests cannot load files of its \`lib/\`. *Total* also counts the others, which read private fields or replace internal
modules. If a test does not report because its file crashed, it counts as failed. CI fails if a test that passed before fails,
if a reachable test of the *required files* fails without a reason, or if a test with a reason passes.

## By area

${writeTable(
  'Area',
  byArea.filter(({ files }) => files > 0),
)}
${writeList('Failing on purpose', onPurpose, 'These tests fail because Ambit differs from Fastify on purpose, or because they test internals of Fastify.')}${writeList('Open', open, 'These tests should pass, but do not pass yet.')}`;
}

function writeTable(heading, rows) {
  const cells = rows.map(({ name, files, passed, reachable, total }) => {
    // Rounded down, so that only a complete row is 100 %.
    const percent = reachable === 0 ? '' : `${(Math.floor((1000 * passed) / reachable) / 10).toFixed(1)} %`;
    return [name, files, passed, reachable, percent, total];
  });
  const head = [
    [heading, 'files', 'passed', 'reachable', '', 'total'],
    ['---', ...Array(5).fill('--:')],
  ];
  return [...head, ...cells].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

function writeList(title, entries, lead) {
  if (entries.length === 0) return '';
  const code = (text) => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``);
  const items = entries.map(
    ({ file, test, reason }) =>
      `- ${code(file)}, ${code(test)}${reason === undefined ? '' : `:\n  ${reason}`}`,
  );
  return `\n## ${title}\n\n${lead}\n\n${items.join('\n')}\n`;
}
