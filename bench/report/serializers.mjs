// The part of the report about serializers.
import { geometricMean } from '../statistics.mjs';
import { formatMarkdownTable, formatRatio } from './markdown.mjs';
import { summarizeShapes } from './shapes.mjs';

/** @param {import('../serializers.mjs').SerializerRound[]} rounds */
export function writeSerializers(rounds) {
  const shapes = summarizeShapes(rounds);
  const columns = ['native', 'peer', 'compile', 'compileAndWrite'];
  const rows = shapes.map((shape) => [
    shape.name,
    Math.round(shape.ns).toLocaleString('en-US'),
    ...columns.map((column) => formatRatio(shape[column], 2)),
  ]);
  const means = columns.map((column) => geometricMean(shapes.map((shape) => shape[column].median)));
  rows.push(['**geometric mean**', '', ...means.map((mean) => `**${mean.toFixed(2)}**`)]);
  const better = geometricMean(shapes.map(({ native, peer }) => Math.max(native.median, peer.median)));
  return [
    '## Serializers',
    [
      '`@ambit/json-serializer` with one value of each shape: nanoseconds, and this time divided by that of `JSON.stringify` and of',
      '`fast-json-stringify`, which write the same text. The last two columns are the time to compile a new schema, alone and with the first value',
      'written, divided by that of `fast-json-stringify`. All run in turns in one process, and in a new process for each round.',
    ].join('\n'),
    formatMarkdownTable(
      ['shape', 'ns', '/ JSON.stringify', '/ fast-json-stringify', 'compile /', 'compile and write once /'],
      rows,
    ),
    `Compared with the faster of the two for each shape: ${(1 / better).toFixed(2)} times as fast (geometric mean).`,
  ];
}
