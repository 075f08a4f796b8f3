// Boot with many shared schemas and many routes: the work grows with their number, not with the product. It is counted in reads of
// properties of the schemas.
import { expect, test } from 'vitest';
import { ambit } from '../src/index.ts';

/** Schemas that refer to one another: to others by `$ref` and `allOf`, and in circles. */
function makeShared(count: number): object[] {
  const ref = (index: number) => ({ $ref: `S${index}#` });
  return Array.from({ length: count }, (_, i) => ({
    $id: `S${i}`,
    type: 'object',
    required: ['id'],
    properties: {
      id: { type: 'integer' },
      name: { type: 'string' },
      parent: { anyOf: [ref(i >> 1), { type: 'null' }] },
      owner: {
        allOf: [ref(Math.floor(i / 3)), { type: 'object', properties: { since: { type: 'string' } } }],
      },
      children: { type: 'array', items: ref(i - (i % 5) + ((i + 1) % 5)) },
    },
  }));
}

/** Boots an application whose shared schemas count each read of one of their properties. */
async function countReads(sharedCount: number, routeCount: number, schemaOf: (index: number) => object) {
  let reads = 0;
  const counted = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    const copy = Array.isArray(value)
      ? value.map(counted)
      : Object.fromEntries(Object.entries(value).map(([key, child]) => [key, counted(child)]));
    return new Proxy(copy, {
      get(target, key, receiver) {
        reads++;
        return Reflect.get(target, key, receiver);
      },
    });
  };
  const shared = makeShared(sharedCount).map((schema) => counted(schema)) as { $id: string }[];
  const schemas = Object.fromEntries(shared.map((schema) => [schema.$id, schema]));
  const bucket = () => ({ add: () => {}, getSchema: (id: string) => schemas[id], getSchemas: () => schemas });
  const app = ambit({ schemaController: { bucket } as never });
  for (let i = 0; i < routeCount; i++) app.post(`/${i}`, { schema: schemaOf(i % sharedCount) }, () => 'ok');
  await app.ready();
  await app.close();
  return reads;
}

const parts: [part: string, schemaOf: (index: number) => object][] = [
  ['body', (i) => ({ body: { $ref: `S${i}#` } })],
  [
    'response',
    (i) => ({ response: { 200: { type: 'object', properties: { [`p${i}`]: { $ref: `S${i}#` } } } } }),
  ],
  ['response that is a shared schema', (i) => ({ response: { 200: { $ref: `S${i}#` } } })],
  [
    'response that extends a shared schema',
    (i) => ({ response: { 200: { allOf: [{ $ref: `S${i}#` }, { title: `${i}` }] } } }),
  ],
];

test.each(parts)(
  'twice as many routes with a %s and shared schemas take twice the work',
  async (_part, schemaOf) => {
    const once = await countReads(60, 60, schemaOf);
    const twice = await countReads(120, 120, schemaOf);
    expect(twice / once).toBeLessThan(2.3);
  },
);

test.each(parts)('a route with a %s does not read all shared schemas again', async (_part, schemaOf) => {
  const once = await countReads(60, 60, schemaOf);
  const more = await countReads(60, 240, schemaOf);
  expect(more / once).toBeLessThan(1.5);
});
