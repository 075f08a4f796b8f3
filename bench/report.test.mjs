// Proves how figures and ratios are shown, and which ratios are listed as losses.
import { expect, test } from 'vitest';
import { writeLosses, writeSection } from './report.mjs';

const section = {
  title: 'Requests',
  cost: 'ms',
  note: 'A note.',
  results: [
    {
      what: 'GET',
      subjects: [
        { label: 'Ambit', figures: { ms: [10, 12] } },
        { label: 'Fastify', figures: { ms: [20, 20], 'requests/s': [51_000, 50_000] }, ratio: [0, 1] },
        { label: 'Bun.serve', figures: { ms: [5, 5] }, ratio: [0, 2] },
        { label: 'broken', figures: {}, failure: 'overflows', ratio: [0, 3] },
      ],
    },
  ],
};

test('a section is a table with the medians and the ratio of the costs; a subject that failed has its reason', () => {
  expect(writeSection(section)).toBe(`## Requests

A note.

|  |  | ms | requests/s | ratio | min | 25 % | 75 % | max |
| --- | --- | --: | --: | --: | --: | --: | --: | --: |
| GET | Ambit | 11.0 |  |  |  |  |  |  |
| GET | Fastify | 20.0 | 50,500 | 0.550 | 0.500 | 0.500 | 0.600 | 0.600 |
| GET | Bun.serve | 5.00 |  | 2.200 | 2.000 | 2.000 | 2.400 | 2.400 |
| GET | broken | overflows |  |  |  |  |  |  |
`);
});

test('the losses are the ratios above 1', () => {
  expect(writeLosses([section])).toContain('Of 2 ratios, 1 are above 1.');
  expect(writeLosses([section])).toContain('| Requests | GET | Ambit / Bun.serve | 2.200 |');
});
