import { expect, test } from 'vitest';
import { PrettyLogs } from './pretty-logs.ts';

const time = new Date(2026, 0, 2, 3, 4, 5).getTime();
const show = (...lines: object[]) => {
  const logs = new PrettyLogs((style, text) => (style === 'dim' ? text : `<${style}>${text}`));
  return lines.map((line) => logs.write(`${JSON.stringify({ time, ...line })}\n`)).join('');
};

for (const [status, style] of [
  [200, 'green'],
  [399, 'green'],
  [400, 'yellow'],
  [499, 'yellow'],
  [500, 'red'],
] as const) {
  test(`a request that ends with ${status} is one ${style} line`, () => {
    const begun = { level: 30, msg: 'incoming request', reqId: 'a', req: { method: 'GET', url: '/x?y=1' } };
    const done = {
      level: 30,
      msg: 'request completed',
      reqId: 'a',
      res: { statusCode: status },
      responseTime: 1.25,
    };
    expect(show(begun, done)).toBe(`03:04:05 GET /x?y=1 <${style}>${status} 1.3 ms\n`);
  });
}

for (const [level, name] of [
  [60, '<red>FATAL'],
  [50, '<red>ERROR'],
  [40, '<yellow>WARN'],
  [30, '<green>INFO'],
  [20, '<magenta>DEBUG'],
  [10, 'TRACE'],
  [35, '<green>INFO'],
] as const) {
  test(`level ${level} is ${name}`, () => {
    expect(show({ level, msg: 'text', pid: 1, hostname: 'h' })).toBe(`03:04:05 ${name} text\n`);
  });
}

test('other members are shown after the message, and an error with its stack', () => {
  const err = { type: 'Error', message: 'no', stack: 'Error: no\n    at run (a.js:1:1)' };
  expect(show({ level: 50, msg: 'no', user: { id: 1 }, err })).toBe(
    '03:04:05 <red>ERROR no <cyan>user={"id":1}\n      at run (a.js:1:1)\n',
  );
});

for (const text of ['plain', '{ not json', '{"no":"level"}', '[1]', '']) {
  test(`\`${text}\` is not changed`, () => {
    expect(new PrettyLogs((_style, each) => each).write(`${text}\n`)).toBe(`${text}\n`);
  });
}

test('a line that arrives in pieces is shown when it is complete, and the last line at the end', () => {
  const logs = new PrettyLogs((_style, text) => text);
  expect(logs.write('{"level":30,"time":')).toBe('');
  expect(logs.write(`${time},"msg":"a"}\nb`)).toBe('03:04:05 INFO a\n');
  expect(logs.end()).toBe('b\n');
  expect(logs.end()).toBe('');
});
