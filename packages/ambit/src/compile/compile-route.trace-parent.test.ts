/** The valid values of the header `traceparent`, and their fields in log lines. */
import { type AmbitOptions, ambit } from 'ambit';
import { describe, expect, test } from 'vitest';
import { flavors } from '../../test/support/flavors.ts';
import { LogLines } from '../../test/support/log-lines.ts';
import { textOf, transports } from '../../test/support/transports.ts';
import { parseTraceParent } from './compile-route.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const parentId = 'b7ad6b7169203331';
const valid = `00-${traceId}-${parentId}-01`;

test.each([valid, `00-${traceId}-${parentId}-ff`, `cc-${traceId}-${parentId}-01`])(
  '%s is valid',
  (header) => {
    expect(parseTraceParent(header)).toEqual({ text: header, traceId });
  },
);

test('fields that a later version appends are ignored', () => {
  expect(parseTraceParent(`01-${valid.slice(3)}-more-of-it`)).toEqual({
    text: `01-${valid.slice(3)}`,
    traceId,
  });
});

test.each([
  undefined,
  '',
  'junk',
  valid.toUpperCase(),
  ` ${valid}`,
  `${valid} `,
  `${valid}-00`,
  `${valid}\n`,
  `01-${valid.slice(3)}.more`,
  `ff-${traceId}-${parentId}-01`,
  `00-${'0'.repeat(32)}-${parentId}-01`,
  `00-${traceId}-${'0'.repeat(16)}-01`,
  `00-${traceId}-${parentId}`,
  `00-${traceId}-${parentId}-1`,
  `00-${traceId.slice(1)}-${parentId}-01`,
  `0g-${traceId}-${parentId}-01`,
  `${valid}, ${valid}`,
  [valid, valid],
])('%j is invalid', (header) => {
  expect(parseTraceParent(header)).toBeUndefined();
});

describe.each(flavors)('on %s', (_flavor, make) => {
  const log = (options: AmbitOptions, lines: LogLines) => {
    const app = make({ ...options, logger: { stream: lines } as never });
    app.get('/', (request) => {
      request.log.info('in the handler');
      return 'ok';
    });
    return app;
  };
  const texts = ['incoming request', 'in the handler', 'request completed'];

  test.each(transports)('log lines name the trace of the request, over $name', async ({ options, ask }) => {
    const lines = new LogLines();
    const app = log({ ...options, logTraceContext: true }, lines);
    await textOf(await ask(app, { headers: { traceparent: valid } }));
    await lines.until('request completed');
    for (const text of texts)
      expect(lines.find(text)).toMatchObject({ traceparent: valid, trace_id: traceId, reqId: 'req-1' });
  });

  test.each([
    [{ logTraceContext: true }, 'junk'],
    [{}, valid],
  ])('log lines name none with %o and %s', async (options, traceparent) => {
    const lines = new LogLines();
    await log(options, lines).inject({ url: '/', headers: { traceparent } });
    expect(lines.lines.length).toBeGreaterThan(0);
    for (const line of lines.lines) {
      expect(line).not.toHaveProperty('traceparent');
      expect(line).not.toHaveProperty('trace_id');
    }
  });
});

test('a logger factory of the application gets the trace, too', async () => {
  const seen: object[] = [];
  const app = ambit({
    logTraceContext: true,
    childLoggerFactory: (logger, bindings, options) => {
      seen.push(bindings);
      return logger.child(bindings, options);
    },
  });
  app.get('/', () => 'ok');
  await app.inject({ url: '/', headers: { traceparent: valid } });
  expect(seen).toEqual([{ reqId: 'req-1', traceparent: valid, trace_id: traceId }]);
});
