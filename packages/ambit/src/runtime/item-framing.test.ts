/** Events: parsed by the rules of WHATWG HTML 9.2.6, they are the events that the handler yielded. */
import { ambit } from 'ambit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { forbidProcessFaults } from '../../test/support/process-faults.ts';

forbidProcessFaults();

const anyEvent = {
  type: 'object',
  properties: { event: {}, id: {}, retry: {}, data: {} },
} as const;

/** Returns what a client receives from some events, or the error of the first one. */
async function send(...events: object[]): Promise<string> {
  const app = ambit();
  const schema = {
    response: { 200: { content: { 'text/event-stream': { itemSchema: anyEvent } } } },
  } as const;
  app.get('/', { schema }, async function* () {
    yield* events;
  } as never);
  return (await app.inject('/')).body;
}

describe('an event', () => {
  for (const [what, event, lines] of [
    ['text', { data: 'hello' }, 'data: hello\n\n'],
    ['empty text', { data: '' }, 'data: \n\n'],
    ['text that begins with a blank', { data: ' hello' }, 'data:  hello\n\n'],
    ['text in several lines', { data: 'a\nb\r\nc\rd\n' }, 'data: a\ndata: b\ndata: c\ndata: d\ndata: \n\n'],
    ['text that looks like a field', { data: 'a\n\nevent: x' }, 'data: a\ndata: \ndata: event: x\n\n'],
    ['text with quotes and escapes', { data: '"\\"\u2028' }, 'data: "\\"\u2028\n\n'],
    ['an object', { data: { a: ['}', { b: '"' }] } }, 'data: {"a":["}",{"b":"\\""}]}\n\n'],
    ['an array', { data: [1, [2, {}]] }, 'data: [1,[2,{}]]\n\n'],
    ['a number', { data: -1.5e300 }, 'data: -1.5e+300\n\n'],
    ['null', { data: null }, 'data: null\n\n'],
    ['false', { data: false }, 'data: false\n\n'],
    ['text that is JSON', { data: '{"a":\n1}' }, ':text\ndata: {"a":\ndata: 1}\n\n'],
    ['text that is a JSON word', { data: 'true' }, ':text\ndata: true\n\n'],
    ['text that begins like JSON', { data: 'no, 1' }, 'data: no, 1\n\n'],
  ] as const) {
    test(`has ${what} in its data`, async () => {
      expect(await send(event)).toBe(lines);
    });
  }

  for (const [what, event, lines] of [
    [
      'all its fields',
      { data: 'x', retry: 0, id: '7', event: 'row' },
      'event: row\nid: 7\nretry: 0\ndata: x\n\n',
    ],
    ['a number for its id', { data: 'x', id: 7 }, 'id: 7\ndata: x\n\n'],
    ['an empty id, which resets the last one', { data: 'x', id: '' }, 'id: \ndata: x\n\n'],
    ['fields that are null or missing', { data: 'x', id: null, event: undefined }, 'data: x\n\n'],
    ['only a retry', { retry: 3000 }, 'retry: 3000\n\n'],
    ['no field', {}, ':\n\n'],
  ] as const) {
    test(`has ${what}`, async () => {
      expect(await send(event)).toBe(lines);
    });
  }

  for (const [what, event, reason] of [
    ['an event name in two lines', { event: 'a\nb' }, 'the event of an event must be one line'],
    ['an id in two lines', { id: 'a\rb' }, 'the id of an event must be one line'],
    ['an id with NUL', { id: 'a\0b' }, 'the id of an event must not contain NUL'],
    ['a negative retry', { retry: -1 }, 'the retry of an event must be an integer >= 0'],
    ['a retry with a fraction', { retry: 1.5 }, 'the retry of an event must be an integer >= 0'],
    ['a retry that is text', { retry: '1s' }, 'the retry of an event must be an integer >= 0'],
  ] as const) {
    test(`with ${what} is refused`, async () => {
      expect(JSON.parse(await send(event))).toMatchObject({
        code: 'AMBIT_ERR_ITEM_INVALID',
        message: expect.stringContaining(reason),
      });
    });
  }

  test('keeps the digits of a large integer', async () => {
    const app = ambit();
    const itemSchema = { type: 'object', properties: { data: { type: 'integer' } } } as const;
    app.get(
      '/',
      { schema: { response: { 200: { content: { 'text/event-stream': { itemSchema } } } } } },
      async function* () {
        yield { data: 12345678901234567890n };
      },
    );
    expect((await app.inject('/')).body).toBe('data: 12345678901234567890\n\n');
  });

  test('is parsed to the same event, for any data', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.string(), async (value, text) => {
        const [first, second] = (await send({ data: [value] }, { data: text })).split('\n\n');
        expect(JSON.parse(first!.slice('data: '.length))).toEqual(JSON.parse(JSON.stringify([value])));
        const fields = second!.split('\n').filter((line) => !line.startsWith(':'));
        const lines = fields.map((line) => line.slice('data: '.length));
        expect(lines.join('\n')).toBe(text.replace(/\r\n?/g, '\n'));
      }),
      { numRuns: 100 },
    );
  });
});
