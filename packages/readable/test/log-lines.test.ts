import { ambit, readableLog } from 'ambit';
import { describe, expect, onTestFinished, test, vi } from 'vitest';

const time = new Date(2026, 0, 2, 3, 4, 5).getTime();

/** The text for lines; colours are names. */
function show(lines: readonly (object | string)[], options: Parameters<typeof readableLog>[1] = {}): string {
  let output = '';
  const log = readableLog((text) => (output += text), { hasColors: false, ...options });
  for (const line of lines)
    log.write(typeof line === 'string' ? line : `${JSON.stringify({ time, ...line })}\n`);
  log.end();
  return output;
}

const begun = { level: 30, msg: 'incoming request', reqId: 'a', req: { method: 'GET', url: '/x?y=1' } };
const done = {
  level: 30,
  msg: 'request completed',
  reqId: 'a',
  res: { statusCode: 200 },
  responseTime: 1.25,
};

describe('a request', () => {
  test('is one line', () => {
    expect(show([begun, done])).toBe('03:04:05 GET    /x?y=1                   200    1.3 ms\n');
  });

  test('that takes a second or longer shows seconds', () => {
    expect(show([begun, { ...done, responseTime: 999.94 }])).toContain('200  999.9 ms\n');
    expect(show([begun, { ...done, responseTime: 1_000 }])).toContain('200    1.00 s\n');
  });

  for (const [bytes, text] of [
    [0, '0 B'],
    [999, '999 B'],
    [1_000, '1.0 kB'],
    [999_949, '999.9 kB'],
    [1_000_000, '1.0 MB'],
  ] as const) {
    test(`with ${bytes} bytes shows ${text}`, () => {
      expect(show([begun, { ...done, bytes }])).toBe(
        `03:04:05 GET    /x?y=1                   200    1.3 ms ${text.padStart(8)}\n`,
      );
    });
  }

  for (const [status, color] of [
    [200, 32],
    [399, 32],
    [400, 33],
    [499, 33],
    [500, 31],
  ] as const) {
    test(`with status ${status} has colour ${color}`, () => {
      const text = show([begun, { ...done, res: { statusCode: status } }], { hasColors: true });
      expect(text).toBe(
        `\x1b[2m03:04:05\x1b[0m GET    /x?y=1                   \x1b[${color}m${status}\x1b[0m \x1b[2m   1.3 ms\x1b[0m\n`,
      );
    });
  }

  test('shows the message of the error that its client gets', () => {
    const err = {
      message: 'body must be object',
      stack: 'Error: body must be object\n    at run (a.js:1:1)',
    };
    const refused = { level: 30, msg: 'body must be object', reqId: 'a', res: { statusCode: 400 }, err };
    expect(show([begun, refused, { ...done, res: { statusCode: 400 } }])).toBe(
      '03:04:05 GET    /x?y=1                   400    1.3 ms           body must be object\n',
    );
  });

  test('that matches no route says so', () => {
    const missing = { level: 30, msg: 'Route GET:/x?y=1 not found', reqId: 'a' };
    expect(show([begun, missing, { ...done, res: { statusCode: 404 } }])).toBe(
      '03:04:05 GET    /x?y=1                   404    1.3 ms           not found\n',
    );
  });

  test('is left out if `isHidden` says so, and its other lines still name it', () => {
    const warning = { level: 40, msg: 'careful', reqId: 'a' };
    expect(show([begun, warning, done], { isHidden: ({ msg }) => msg === 'request completed' })).toBe(
      '03:04:05 WARN  careful (GET /x?y=1)\n',
    );
  });
});

describe('other lines', () => {
  for (const [level, name] of [
    [60, 'FATAL'],
    [50, 'ERROR'],
    [40, 'WARN '],
    [30, 'INFO '],
    [20, 'DEBUG'],
    [10, 'TRACE'],
    [35, 'INFO '],
    ['notice', 'NOTICE'],
  ] as const) {
    test(`level ${level} is ${name}`, () => {
      expect(show([{ level, msg: 'text', pid: 1, hostname: 'h' }])).toBe(`03:04:05 ${name} text\n`);
    });
  }

  test('show other members after the message, and an error with its stack', () => {
    const err = { type: 'Error', message: 'no', stack: 'Error: no\n    at run (a.js:1:1)' };
    expect(show([{ level: 50, msg: 'no', user: { id: 1 }, err }])).toBe(
      '03:04:05 ERROR no user={"id":1}\n      at run (a.js:1:1)\n',
    );
  });

  test('fold the frames of libraries, and keep them if there are no others', () => {
    const library = '    at run (/app/node_modules/x/index.js:1:1)\n    at node:internal/process:2:2';
    const err = (frames: string) => ({
      level: 50,
      msg: 'no',
      err: { message: 'no', stack: `Error: no\n${frames}` },
    });
    expect(show([err(`    at save (file:///app/src/notes.js:4:5)\n${library}`)])).toBe(
      '03:04:05 ERROR no\n      at save (/app/src/notes.js:4:5)\n      and 2 frames inside x\n',
    );
    expect(show([err(library)])).toBe(`03:04:05 ERROR no\n${library.replaceAll(/^/gm, '  ')}\n`);
  });

  test('cannot control the terminal', () => {
    expect(show([{ level: 30, msg: '\x1b]0;title\x07 \x9b1m\ttab', '\x9b2m': '\x9b3m' }])).toBe(
      '03:04:05 INFO  \\x1b]0;title\\x07 \\x9b1m\ttab \\x9b2m="\\x9b3m"\n',
    );
  });

  for (const text of ['plain', '{ not json', '{"no":"level"}', '[1]', '']) {
    test(`\`${text}\` is not changed`, () => {
      expect(show([`${text}\n`])).toBe(`${text}\n`);
    });
  }

  test('that arrive in pieces are shown when they are complete, and the last one at the end', () => {
    const output: string[] = [];
    const log = readableLog((text) => output.push(text), { hasColors: false });
    log.write('{"level":30,"time":');
    expect(output).toEqual([]);
    log.write(`${time},"msg":"a"}\nb`);
    expect(output).toEqual(['03:04:05 INFO  a\n']);
    log.end();
    log.end();
    expect(output).toEqual(['03:04:05 INFO  a\n', 'b\n']);
  });
});

describe('`logger: true`', () => {
  /** What an application writes to standard output, which is a terminal. */
  async function written(
    environment: string | undefined,
    logger: object | true = true,
  ): Promise<readonly string[]> {
    const lines: string[] = [];
    const isTerminal = process.stdout.isTTY;
    process.stdout.isTTY = true;
    const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => lines.push(`${text}`) > 0);
    vi.stubEnv('NODE_ENV', environment);
    vi.stubEnv('NO_COLOR', '1');
    onTestFinished(() => {
      write.mockRestore();
      vi.unstubAllEnvs();
      process.stdout.isTTY = isTerminal;
    });
    const app = ambit({ logger: logger as never });
    app.get('/', () => 'ok');
    await app.inject('/');
    await app.close();
    return lines;
  }

  test('writes for people on a terminal in development', async () => {
    const lines = await written(undefined);
    expect(lines.join('')).toMatch(/^\d\d:\d\d:\d\d GET {4}\/ {24}200 +\d+\.\d ms\n$/);
  });

  test('writes JSON in production', async () => {
    expect(JSON.parse((await written('production'))[0]!)).toMatchObject({ msg: 'incoming request' });
  });

  test('writes JSON to the stream of the application', async () => {
    const lines: string[] = [];
    expect(await written(undefined, { stream: { write: (line: string) => lines.push(line) } })).toEqual([]);
    expect(JSON.parse(lines[0]!)).toMatchObject({ msg: 'incoming request' });
  });
});
