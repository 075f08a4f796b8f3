// Renders docs/conformance.md: the numbers of tests, and a reason for each test that fails on purpose.

/**
 * Returns the text of the page. `facts` are `{ date, node, fastify, ambit }`; `sums` are rows of summarize.mjs:
 * `{ ratchet, rest, whole }`.
 */
export function renderReport({ facts, sums, rows, onPurpose, open }) {
  return [
    '# Conformance',
    '',
    intro(facts),
    '',
    '```sh\nnpm run conformance\n```',
    '',
    `Measured on ${facts.date} with Node ${facts.node}, fastify ${facts.fastify} and @ambit/fastify ${facts.ambit}.`,
    '',
    table('', [
      ['required files', sums.ratchet],
      ['other files', sums.rest],
      ['all', sums.whole],
    ]),
    '',
    meaning,
    '',
    '## By area',
    '',
    table(
      'Area',
      rows.map((row) => [row.area, row]),
    ),
    '',
    ...listing(
      'Failing on purpose',
      onPurpose,
      'These tests fail because Ambit differs from Fastify on purpose, or because they test internals of Fastify.',
    ),
    ...listing('Open', open, 'These tests should pass, but do not pass yet.'),
  ].join('\n');
}

function intro({ fastify }) {
  return [
    `The package of fastify ${fastify} contains its test suite. We run these files unchanged, except that they load \`@ambit/fastify\``,
    'in place of Fastify. This repository contains no copy of the suite.',
  ].join('\n');
}

const meaning = [
  '*Reachable* tests are those that an implementation other than Fastify can pass: a second copy of Fastify passes them, if',
  'the tests cannot load files of its `lib/`. *Total* also counts the others, which read private fields or replace internal',
  'modules. If a test does not report because its file crashed, it counts as failed. CI fails if a test that passed before fails,',
  'if a reachable test of the *required files* fails without a reason, or if a test with a reason passes.',
].join('\n');

function table(heading, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  const body = rows.map(([name, { files, passed, reachable, total }]) =>
    line([name, files, passed, reachable, percent(passed, reachable), total]),
  );
  const head = [
    line([heading, 'files', 'passed', 'reachable', '', 'total']),
    line(['---', ...Array(5).fill('--:')]),
  ];
  return [...head, ...body].join('\n');
}

/** Rounded down, so that only a complete row is 100 %. */
function percent(passed, reachable) {
  return reachable === 0 ? '' : `${(Math.floor((1000 * passed) / reachable) / 10).toFixed(1)} %`;
}

function listing(title, entries, lead) {
  if (entries.length === 0) return [];
  const items = entries.map(
    ({ file, test, reason }) =>
      `- ${code(file)}, ${code(test)}${reason === undefined ? '' : `:\n  ${reason}`}`,
  );
  return [`## ${title}`, '', lead, '', ...items, ''];
}

/** Formats code, also if it contains backticks. */
function code(text) {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
}
