// Owns the part of the report about serializers.
import { geometricMean } from '../statistics.mjs';
import { chartSerializers } from './charts.mjs';
import { formatMarkdownTable, showImage } from './markdown.mjs';

export function writeSerializers({ writing, compiling }) {
  const compileTimes = new Map(compiling.results.map((result) => [result.name, result]));
  const rows = writing.results.map(({ name, ns, overNative, overPeer }) => {
    const { compile, compileAndWrite } = compileTimes.get(name);
    return [
      name,
      Math.round(ns).toLocaleString('en-US'),
      ...[1 / overNative, 1 / overPeer, compile, compileAndWrite].map((ratio) => ratio.toFixed(2)),
    ];
  });
  const means = [
    ...['overNative', 'overPeer'].map(
      (over) => 1 / geometricMean(writing.results.map((result) => result[over])),
    ),
    compiling.compileMean,
    compiling.writeMean,
  ];
  rows.push(['**geometric mean**', '', ...means.map((mean) => `**${mean.toFixed(2)}**`)]);
  return [
    '## Serializers',
    [
      '`@ambit/json-serializer` on one value of each shape: nanoseconds, and its time divided by that of `JSON.stringify` and of',
      '`fast-json-stringify`, which write the same text. Then compiling a schema that was never seen, alone and with the first value',
      "written, divided by `fast-json-stringify`'s time. All in one process and in turns; the median of the turns.",
    ].join('\n'),
    showImage(chartSerializers({ writing })),
    formatMarkdownTable(
      ['shape', 'ns', '/ JSON.stringify', '/ fast-json-stringify', 'compile /', 'compile and write once /'],
      rows,
    ),
    `Over the faster of the two on each shape: ${writing.mean.toFixed(2)} times as fast, geometric mean.`,
  ];
}
