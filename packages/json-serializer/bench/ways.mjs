// Compares concatenation with writing into a buffer, by kind of value. `bufferMinValues` and the other thresholds of buffers in
// src/engine.ts, and the pauses of src/runtime/output-buffer.ts, come from this.
//   node packages/json-serializer/bench/ways.mjs [--turns 20] [--only rows]
// For other engines run the script with their binary.
import assert from 'node:assert/strict';
import { parseArgs } from 'node:util';
import { importSource } from './import-source.mjs';
import { measureInTurns, median, ratio } from './measure.mjs';

const { values: options } = parseArgs({
  options: { turns: { type: 'string', default: '20' }, only: { type: 'string', default: '' } },
});

const { Program, releaseBuffer, readShape, runtimeFor, strategy, acquireBuffer } = await importSource([
  "export { strategy } from 'engine.ts';",
  "export { Program } from 'emit/program.ts';",
  "export { runtimeFor } from 'runtime/runtime.ts';",
  "export { releaseBuffer, acquireBuffer } from 'runtime/output-buffer.ts';",
  "export { readShape } from 'shape/read-shape.ts';",
]);

function makeWays(schema) {
  const { shape } = readShape(schema, {});
  const runtime = runtimeFor('trunc');
  const program = new Program(strategy);
  const concatenated = program.link(program.writer(shape), runtime);
  const bufferProgram = new Program(strategy);
  const writeToBuffer = bufferProgram.link(bufferProgram.bufferWriter(shape), runtime);
  const buffered = (value) => {
    const output = acquireBuffer();
    const last = output.read(writeToBuffer(value, 0, output));
    const text = output.text === '' ? last : output.text + last;
    releaseBuffer(output);
    return text;
  };
  return { buffered, concatenated, native: JSON.stringify };
}

// The same pseudo-random numbers in every run (a linear congruential generator, modulus 2³¹).
let state = 7;
function random() {
  state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
  return state / 0x80000000;
}
const many = (count, make) => Array.from({ length: count }, (_, index) => make(index));
const english = 'serving quick brown foxes over lazy dogs while schemas compile at boot'.split(' ');
const french = 'été déjà garçon naïve café où être façade'.split(' ');
const russian = 'привет мир сервер быстрый код схема запрос ответ данные строка'.split(' ');
const pick = (list) => list[Math.floor(random() * list.length)];

function text(length, words = english) {
  let written = '';
  while (written.length < length) written += `${pick(words)} `;
  return written.slice(0, length);
}

const string = { type: 'string' };
const kinds = {
  integers: [{ type: 'integer' }, () => Math.floor(random() * 1e5)],
  prices: [{ type: 'number' }, () => Math.round(random() * 1e5) / 100],
  'long fractions': [{ type: 'number' }, () => random() * 1000],
  booleans: [{ type: 'boolean' }, () => random() < 0.5],
  'strings of 8': [string, () => text(8)],
  'strings of 20': [string, () => text(20)],
  'strings of 35': [string, () => text(35)],
  'strings of 100': [string, () => text(100)],
  'French of 10': [string, () => text(10, french)],
  'Russian of 10': [string, () => text(10, russian)],
  'strings of 10 with quotes': [string, () => `"${text(8)}"`],
  'strings of 60 with line ends': [string, () => `${text(30)}\n${text(29)}`],
  'strings or null': [{ type: ['string', 'null'] }, () => (random() < 0.3 ? null : text(12))],
};

const object = (count, schema, make) => ({
  schema: { type: 'object', properties: Object.fromEntries(many(count, (index) => [`key${index}`, schema])) },
  make: () => Object.fromEntries(many(count, (index) => [`key${index}`, make()])),
});
const list = (count, { schema, make }) => ({
  schema: { type: 'array', items: schema },
  make: () => many(count, make),
});

const cases = Object.entries(kinds).flatMap(([kind, [schema, make]]) => [
  ...[3, 4, 6].map((count) => ({ name: `${count} ${kind}`, ...object(count, schema, make) })),
  { name: `50 ${kind} in a list`, ...list(50, { schema, make }) },
  { name: `50 rows of 5 ${kind}`, ...list(50, object(5, schema, make)) },
]);

console.log(
  `Node ${process.versions.node}: times faster in a buffer than concatenated, and than JSON.stringify`,
);
for (const { name, schema, make } of cases.filter((each) => each.name.includes(options.only))) {
  const ways = makeWays(schema);
  // As JSON.parse or a database driver makes them: flat strings, plain objects.
  const values = many(8, () => JSON.parse(JSON.stringify(make())));
  for (const value of values)
    for (const write of Object.values(ways)) assert.equal(write(value), JSON.stringify(value));
  const times = measureInTurns(ways, values, Number(options.turns));
  console.log(
    name.padEnd(44),
    `${median(times.buffered).toFixed(0)} ns`.padStart(10),
    `  x${ratio(times, 'buffered', 'concatenated').toFixed(2)}`,
    `  x${ratio(times, 'buffered', 'native').toFixed(2)}`,
  );
}
