/** The options of Ajv for generating code, and schemas whose `$id` is known already. */
import { ambit } from 'ambit';
import { expect, test } from 'vitest';

for (const [code, optimize] of [
  [undefined, 0],
  [{ lines: true }, 0],
  [{ optimize: 2 }, 2],
] as const) {
  test(`with ${JSON.stringify({ code })} Ajv tidies its code in ${optimize} passes`, async () => {
    const seen: unknown[] = [];
    const app = ambit({
      ajv: {
        ...(code && { customOptions: { code } }),
        onCreate: (engine) =>
          seen.push((engine as { opts: { code: { optimize: unknown } } }).opts.code.optimize),
      },
    });
    app.post('/', { schema: { body: { a: { type: 'integer' } } } }, ({ body }) => body);
    const response = await app.inject({ method: 'POST', url: '/', body: { a: '1' } });
    expect(response.json()).toEqual({ a: 1 });
    expect(seen).toEqual([optimize]);
  });
}

test('a route may use a shared schema whole, with its $id', async () => {
  const app = ambit().addSchema({ $id: 'age', type: 'integer' });
  app.post('/', { schema: { body: { $id: 'age', type: 'integer' } } }, ({ body }) => body);
  const post = async (payload: string): Promise<number> => {
    const headers = { 'content-type': 'application/json' };
    return (await app.inject({ method: 'POST', url: '/', headers, payload })).statusCode;
  };
  expect([await post('5'), await post('"x"')]).toEqual([200, 400]);
});

test('a route whose schema has the $id of a different shared schema fails the boot', async () => {
  const app = ambit().addSchema({ $id: 'age', type: 'integer' });
  app.post('/', { schema: { body: { $id: 'age', type: 'object' } } }, ({ body }) => body);
  await expect(app.ready()).rejects.toMatchObject({
    code: 'FST_ERR_SCH_VALIDATION_BUILD',
    cause: { code: 'FST_ERR_SCH_ALREADY_PRESENT' },
    where: { route: 'POST /' },
  });
});
