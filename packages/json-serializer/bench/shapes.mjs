// The shapes that the benchmarks write: a schema each, and values that match it. Each shape has several values, so that an engine
// cannot cache one number or one string. Shapes with mostly numbers have many values, because V8 caches the texts of thousands of
// numbers.
import { randomFrom } from '../../../bench/random.mjs';

const string = { type: 'string' };
const integer = { type: 'integer' };
const number = { type: 'number' };
const boolean = { type: 'boolean' };
const dateTime = { type: 'string', format: 'date-time' };
const object = (properties) => ({ type: 'object', properties });
const array = (items) => ({ type: 'array', items });

const random = randomFrom(5);
const pick = (list) => list[Math.floor(random() * list.length)];
const whole = (limit) => Math.floor(random() * limit);
const words =
  'serving quick brown foxes over lazy dogs while schemas compile at boot and requests only execute'.split(
    ' ',
  );
const text = (count) => Array.from({ length: count }, () => pick(words)).join(' ');
const many = (count, make) => Array.from({ length: count }, (_, index) => make(index));

const row = object({
  id: integer,
  name: string,
  email: string,
  active: boolean,
  score: number,
  role: string,
  createdAt: string,
  age: integer,
});
const makeRow = (index) => ({
  id: index * 7919 + whole(1000),
  name: text(2),
  email: `${pick(words)}${whole(9999)}@example.com`,
  active: random() < 0.5,
  score: Math.round(random() * 10000) / 100,
  role: pick(['admin', 'member', 'guest']),
  createdAt: new Date(1.7e12 + whole(1e10)).toISOString(),
  age: whole(90),
});

const address = object({
  street: string,
  city: string,
  zip: string,
  geo: object({ lat: number, lon: number }),
});
const makeAddress = () => ({
  street: text(3),
  city: pick(words),
  zip: String(10000 + whole(80000)),
  geo: { lat: random() * 90, lon: random() * 180 },
});

const deep = (levels) =>
  levels === 0
    ? object({ value: integer, label: string })
    : object({ level: integer, name: string, next: deep(levels - 1) });
const makeDeep = (levels) =>
  levels === 0
    ? { value: whole(1e6), label: pick(words) }
    : { level: levels, name: pick(words), next: makeDeep(levels - 1) };

const sparseNames = many(20, (index) => `field${index}`);
const makeSparse = () =>
  Object.fromEntries(sparseNames.filter(() => random() < 0.25).map((name) => [name, text(1)]));

const circle = { ...object({ kind: { const: 'circle' }, radius: number }), required: ['kind'] };
const square = { ...object({ kind: { const: 'square' }, side: number, label: string }), required: ['kind'] };
const makeUnion = () => ({
  id: pick([whole(1000), pick(words)]),
  figure: pick([
    { kind: 'circle', radius: whole(100) / 4 },
    { kind: 'square', side: whole(50), label: pick(words) },
  ]),
  note: pick([null, text(2)]),
});

/**
 * Returns a copy with flat strings and plain objects, like those from a database driver or JSON.parse. A value with a Date is returned
 * unchanged.
 */
function flattenStrings(value) {
  return JSON.stringify(value) === JSON.stringify(value, omitDates)
    ? JSON.parse(JSON.stringify(value))
    : value;
}

function omitDates(key, written) {
  return this[key] instanceof Date ? undefined : written;
}

const written = [
  {
    name: 'small object',
    schema: object({ hello: string }),
    values: many(16, () => ({ hello: pick(words) })),
  },
  {
    name: 'small object, 4 fields',
    schema: object({ id: integer, name: string, done: boolean, rate: number }),
    values: many(16, () => ({ id: whole(1e6), name: text(2), done: random() < 0.5, rate: whole(1000) / 8 })),
  },
  { name: 'medium object', schema: row, values: many(16, makeRow) },
  {
    name: 'nested object',
    schema: object({ id: integer, user: row, address, tags: array(string) }),
    values: many(16, (index) => ({
      id: index,
      user: makeRow(index),
      address: makeAddress(),
      tags: many(3, () => pick(words)),
    })),
  },
  { name: 'deep object', schema: deep(10), values: many(16, () => makeDeep(10)) },
  {
    name: 'string-heavy',
    schema: object(Object.fromEntries(many(10, (index) => [`text${index}`, string]))),
    values: many(16, () => Object.fromEntries(many(10, (index) => [`text${index}`, text(1 + index)]))),
  },
  {
    name: 'strings with escapes',
    schema: object({ title: string, body: string }),
    values: many(16, () => ({ title: `"${text(3)}"`, body: `${text(12)}\n${text(12)}\t${text(2)}` })),
  },
  {
    name: 'number-heavy',
    schema: object({ total: integer, points: array(number), counts: array(integer) }),
    values: many(500, () => ({
      total: whole(1e6),
      points: many(20, () => random() * 1000),
      counts: many(20, () => whole(1e5)),
    })),
  },
  {
    name: 'dates',
    schema: object({ id: integer, createdAt: dateTime, updatedAt: dateTime, seenAt: dateTime }),
    values: many(16, () => {
      const date = () => new Date(1.7e12 + whole(1e10));
      return { id: whole(1e6), createdAt: date(), updatedAt: date(), seenAt: date() };
    }),
  },
  {
    name: 'unions',
    schema: object({
      id: { type: ['integer', 'string'] },
      figure: { oneOf: [circle, square] },
      note: { type: ['string', 'null'] },
    }),
    values: many(16, makeUnion),
  },
  {
    name: 'tuples',
    schema: array({ type: 'array', items: [number, number, string] }),
    values: many(500, () => many(10, () => [random() * 90, random() * 180, pick(words)])),
  },
  { name: '10 rows', schema: array(row), values: many(8, () => many(10, makeRow)) },
  { name: '100 rows', schema: array(row), values: many(4, () => many(100, makeRow)) },
  { name: '1,000 rows', schema: array(row), values: many(2, () => many(1000, makeRow)) },
  {
    name: '100 rows in an envelope',
    schema: object({ total: integer, page: integer, rows: array(row) }),
    values: many(4, () => ({ total: whole(1e5), page: whole(100), rows: many(100, makeRow) })),
  },
  {
    name: '100 rows with dates',
    schema: array(object({ id: integer, name: string, createdAt: dateTime, updatedAt: dateTime })),
    values: many(4, () =>
      many(100, (id) => ({
        id,
        name: text(2),
        createdAt: new Date(1.7e12 + whole(1e10)),
        updatedAt: new Date(1.7e12 + whole(1e10)),
      })),
    ),
  },
  {
    name: '100 kB string',
    schema: object({ id: integer, data: string }),
    values: many(4, (id) => ({ id, data: text(17_000).slice(0, 100_000) })),
  },
  {
    name: 'sparse optional fields',
    schema: object(Object.fromEntries(sparseNames.map((name) => [name, string]))),
    values: many(16, makeSparse),
  },
  {
    name: '1,000 strings',
    schema: array(string),
    values: many(4, () => many(1000, () => text(3))),
  },
];

export const shapes = written.map(({ name, schema, values }) => ({
  name,
  schema,
  values: values.map(flattenStrings),
}));
