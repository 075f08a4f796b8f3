// Writes docs/conformance.md: the figures, and a reason for each test that fails on purpose.

/**
 * The page. `facts` are `{ date, node, fastify, ambit }`; `sums` are rows of summarize.mjs: `{ ratchet, rest, whole }`.
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
      ['named by the ratchet', sums.ratchet],
      ['the others', sums.rest],
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
      'These stay as they are. Each reason is one that a user can judge.',
    ),
    ...listing('Open', open, 'These should pass and do not yet.'),
  ].join('\n');
}

function intro({ fastify }) {
  return [
    `fastify ${fastify} ships its own test suite in its package. We run those files as they are, with one change: the module`,
    'they load as Fastify is `@ambit/fastify`. Nothing of the suite is copied into this repository.',
  ].join('\n');
}

const meaning = [
  '*Reachable* is a test that an implementation other than Fastify can pass: a second, untouched copy of Fastify whose',
  '`lib/` the tests can not load passes it. *Total* counts the others too: they read private fields or replace internal',
  'modules. A test that never reports, because its file crashed, counts as failed. CI fails when a test that passed',
  'stops passing, when one of the ratchet fails without a reason, and when a reason outlives its failure.',
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

/** Rounded down, so that only a complete row reads 100 %. */
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

/** Code type, also for a name with backticks in it. */
function code(text) {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
}
