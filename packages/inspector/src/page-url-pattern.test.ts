/** URL patterns as the form of the page fills them: what it sends must reach the route. */
import { ambit } from 'ambit';
import { expect, test } from 'vitest';
// @ts-expect-error: the modules of the page are JavaScript, without declarations.
import { fillPattern, parsePattern } from '../page/url-pattern.js';

const parse = parsePattern as (pattern: string) => { kind: string; text: string; name: string }[];
const fill = fillPattern as (pattern: string, values: ReadonlyMap<string, string>) => string;

for (const [pattern, values, url] of [
  ['/notes', {}, '/notes'],
  ['/notes/:id', { id: 'a b/c' }, '/notes/a%20b%2Fc'],
  ['/notes/:id(^\\d+$)', { id: '5' }, '/notes/5'],
  ['/at/:hour(^\\d{2})h:minute(^\\d{2})m', { hour: '08', minute: '15' }, '/at/08h15m'],
  ['/near/:lat-:lng/r', { lat: '1', lng: '2' }, '/near/1-2/r'],
  ['/orders.:format', { format: 'csv' }, '/orders.csv'],
  ['/posts/:id?', { id: '' }, '/posts'],
  ['/posts/:id?', { id: '7' }, '/posts/7'],
  ['/files/*', { '*': 'a/b c?d' }, '/files/a/b%20c%3Fd'],
  ['/name::verb', {}, '/name:verb'],
] as const) {
  test(`${pattern} with ${JSON.stringify(values)} becomes ${url}, which reaches the route`, async () => {
    expect(fill(pattern, new Map(Object.entries(values)))).toBe(url);
    const app = ambit();
    app.get(pattern, (request) => ({ params: request.params }));
    const reply = await app.inject(url);
    await app.close();
    expect(reply.statusCode).toBe(200);
    expect(reply.json<{ params: object }>().params).toMatchObject(
      Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')),
    );
  });
}

test('the parts of a pattern together are its text', () => {
  for (const pattern of ['/a/:id(^(a|\\)b)$)/b', '/:a:b', '/x/*', '/:a(', '/:', '/::', ''])
    expect(
      parse(pattern)
        .map(({ text }) => text)
        .join(''),
    ).toBe(pattern);
});
