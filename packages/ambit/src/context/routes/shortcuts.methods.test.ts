/** Which methods a context supports, and whose bodies are read. */
import { ambit } from 'ambit';
import { describe, expect, test } from 'vitest';

describe('addHttpMethod', () => {
  test('in a child leaves the bodies of its sibling and its parent alone', async () => {
    const app = ambit();
    const echo = (request: { body: unknown }) => ({ body: request.body });
    app.register(async (child) => {
      child.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
      child.get('/child', echo);
    });
    app.register(async (child) => {
      child.get('/sibling', echo);
    });
    app.get('/parent', echo);
    const bodyOf = async (url: string) =>
      (await app.inject({ method: 'GET', url, payload: { a: 1 } })).json<{ body: unknown }>().body;
    expect(await bodyOf('/child')).toEqual({ a: 1 });
    expect(await bodyOf('/sibling')).toBeUndefined();
    expect(await bodyOf('/parent')).toBeUndefined();
  });

  test('in a parent holds for the children that come after it', async () => {
    const app = ambit();
    app.addHttpMethod('REPORT', { hasBody: true });
    app.register(async (child) => {
      child.route({ method: 'REPORT', url: '/', handler: (request) => ({ body: request.body }) });
    });
    const response = await app.inject({ method: 'REPORT', url: '/', payload: { a: 1 } });
    expect(response.json()).toEqual({ body: { a: 1 } });
  });

  test('in a child does not let its sibling declare the method', async () => {
    const app = ambit();
    app.register(async (child) => {
      child.addHttpMethod('REPORT');
    });
    app.register(async (sibling) => {
      sibling.route({ method: 'REPORT', url: '/', handler: () => 'report' });
    });
    await expect(app.ready()).rejects.toMatchObject({ code: 'FST_ERR_ROUTE_METHOD_NOT_SUPPORTED' });
  });

  test('after boot is refused', async () => {
    const app = ambit();
    await app.ready();
    expect(() => app.addHttpMethod('POST', { hasBody: false, overrideExisting: true })).toThrow(
      expect.objectContaining({ code: 'FST_ERR_INSTANCE_ALREADY_LISTENING' }),
    );
  });
});
