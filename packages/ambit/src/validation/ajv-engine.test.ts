/** How Ajv is told to generate code. */
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
