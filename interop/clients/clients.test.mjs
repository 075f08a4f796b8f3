// Real clients, with connections that they keep: the engine serves every request whose length they tell, and node the others.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { answers, programPath, run, serve } from './support.mjs';

function makeFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'http-engine-clients-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function makeFile(bytes) {
  const file = join(makeFolder(), 'upload');
  writeFileSync(file, 'x'.repeat(bytes));
  return file;
}

/** Arguments of curl for several requests: each ends with a line. */
function toCurl(...requests) {
  return ['-sS', ...requests.flatMap((args) => ['--next', '-w', '\\n', ...args]).slice(1)];
}

const clients = {
  curl: {
    kept: (url) =>
      run(
        'curl',
        toCurl(
          [`${url}/1?q=a%20b`],
          ['-d', 'hello', `${url}/2`],
          ['-X', 'PUT', '--data-binary', `@${makeFile(100_000)}`, `${url}/3`],
          ['-X', 'DELETE', `${url}/4`],
          ['-d', 'a=1&b=2+%2B+3', `${url}/5`],
        ),
      ),
    chunked: (url) =>
      run('curl', toCurl(['-d', 'hello', '-H', 'Transfer-Encoding: chunked', `${url}/chunked`])),
  },
  'undici’s fetch': {
    kept: (url) => run(process.execPath, [programPath('client.mjs'), url, 'kept']),
    chunked: (url) => run(process.execPath, [programPath('client.mjs'), url, 'chunked']),
  },
  'Python’s requests': {
    kept: (url) => run('/usr/bin/python3', [programPath('client.py'), url, 'kept']),
    chunked: (url) => run('/usr/bin/python3', [programPath('client.py'), url, 'chunked']),
  },
  'Go’s net/http': {
    kept: (url) => run('go', ['run', programPath('client.go'), url, 'kept'], { CGO_ENABLED: '0' }),
    chunked: (url) => run('go', ['run', programPath('client.go'), url, 'chunked'], { CGO_ENABLED: '0' }),
  },
};

describe.each(Object.entries(clients))('%s', (_name, { kept, chunked }) => {
  test('stays with the engine, on connections that it keeps', async () => {
    const { url, counters } = await serve();
    expect(await kept(url)).toEqual(answers);
    expect(counters.handedOver).toEqual({});
    expect(counters.requests).toBe(answers.length);
    expect(counters.connections).toBeLessThan(answers.length);
  });

  test('gets its answer from node when it sends a body in chunks', async () => {
    const { url, counters } = await serve();
    expect(await chunked(url)).toEqual(['POST /chunked 5']);
    expect(counters.handedOver).toEqual({ 'transfer-encoding': 1 });
  });
});

describe('curl', () => {
  test('stays with the engine when it sends a form with a file, asks for a head and closes the connection', async () => {
    const { url, counters } = await serve();
    const lines = await run(
      'curl',
      toCurl(
        ['-F', `file=@${makeFile(10_000)}`, '-o', '/dev/null', '-w', '%{http_code}\\n', `${url}/form`],
        ['-I', '-o', '/dev/null', '-w', '%{http_code}\\n', `${url}/head`],
        ['-H', 'Connection: close', `${url}/last`],
      ),
    );
    expect(lines).toEqual(['200', '200', 'GET /last 0']);
    expect(counters.handedOver).toEqual({});
    expect(counters.requests).toBe(3);
  });

  test('gets its answer from node when it uploads a file, since it asks the server before it sends one', async () => {
    const { url, counters } = await serve();
    const lines = await run('curl', toCurl(['-T', makeFile(10), `${url}/file`]));
    expect(lines).toEqual(['PUT /file 10']);
    expect(counters.handedOver).toEqual({ expect: 1 });
  });
});
