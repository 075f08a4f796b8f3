import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { RequestModel } from '@ambit/inspector';
import { expect, test } from 'vitest';
import { makeFolder, runCommand, writeFiles } from '../../test/support/command.ts';
import { flavors } from '../../test/support/flavors.ts';
import { Load, Running, sendRequest } from '../../test/support/server.ts';

const routes = `
import { greet } from './greet.js';
app.get('/', () => greet());
app.get('/exit', () => process.exit(3));
app.get('/error', () => { throw new Error('boom'); });
export default app;
`;
const greet = (text: string) => ({ 'greet.js': `export const greet = () => '${text}';\n` });
const makeApp = (make: string) => makeFolder({ 'app.js': make + routes, ...greet('one') });

for (const [flavor, make] of Object.entries(flavors)) {
  test(`${flavor}: it restarts when a file changes, and no request is lost`, async () => {
    const folder = makeApp(make);
    const server = new Running(folder, ['dev', '--port', '0']);
    const address = await server.address();
    const load = new Load(address, { keepAlive: false });
    for (const text of ['two', 'three']) {
      writeFiles(folder, greet(text));
      await server.until(/greet\.js changed: ready in \d+ ms\n/);
      expect(await sendRequest(address)).toEqual({ status: 200, body: text });
    }
    await load.stop();
    expect(load.failures).toEqual([]);
    expect(load.bodies).toContain('three');
    expect(await server.stop('SIGINT')).toBe(0);
  });

  test(`${flavor}: the old version serves if the new one does not boot, and the output says why`, async () => {
    const folder = makeApp(make);
    const server = new Running(folder, ['dev', '--port', '0']);
    const address = await server.address();
    const load = new Load(address, { keepAlive: false });
    writeFiles(folder, { 'greet.js': 'export const greet = ( => 1;' });
    await server.until(
      /^[\d:]+ greet\.js changed\n {9}greet\.js:1: the module cannot be imported: Unexpected token '=>'\.\n {9}still serving the version of [\d:]+\n/m,
    );
    writeFiles(folder, { 'greet.js': "\n\nthrow new Error('no database');\nexport const greet = 1;" });
    await server.until(
      /greet\.js changed\n {9}greet\.js:3: the module cannot be imported: no database\.\n.*\n {9}still serving the version/,
    );
    writeFiles(folder, { 'greet.js': "\n\nthrow new Error('no database');\nexport const greet = 2;" });
    await server.until(/greet\.js changed, and the error is the same: still serving the version of [\d:]+\n/);
    expect(await sendRequest(address)).toEqual({ status: 200, body: 'one' });
    writeFiles(folder, greet('two'));
    await server.until(/greet\.js changed, and is mended: ready in/);
    expect(await sendRequest(address)).toEqual({ status: 200, body: 'two' });
    await load.stop();
    expect(load.failures).toEqual([]);
    await server.stop();
  });

  test(`${flavor}: the block at the start has the addresses`, async () => {
    const server = new Running(makeApp(make), ['dev', '--port', '0']);
    const [text, port] = await server.until(/^.*localhost:(\d+)\/__ambit\n\n/s);
    expect(text.replaceAll(port!, 'PORT').replace(/\d+ ms/, 'N ms')).toBe(`
  Ambit 0.1.0  app.js ready in N ms

  Local      http://localhost:PORT
  Network    only this machine; --host 0.0.0.0 for all
  Inspector  http://localhost:PORT/__ambit

`);
    await server.stop();
  });

  test(`${flavor}: requests are shown even without a logger`, async () => {
    const server = new Running(makeApp(make), ['dev', '--port', '0']);
    const address = await server.address();
    await sendRequest(address);
    await server.until(/\d\d:\d\d:\d\d GET {4}\/ {24}200 +[\d.]+ ms +3 B\n/);
    await sendRequest(`${address}/nowhere`);
    await server.until(/GET +\/nowhere +404 .* B {2}not found\n/);
    await sendRequest(`${address}/error`);
    await server.until(/ERROR boom.*\n.*at .*app\.js/);
    await server.until(/GET +\/error +500 .* B {2}error\n/);
    await server.stop();
  });
}

const logging = flavors.ambit.replace('ambit()', "ambit({ logger: { level: 'debug' } })");

test('a request shows who answered it, if that was not the handler', async () => {
  const folder = makeFolder({
    'app.js': `${logging}app.addHook('onRequest', async function checkToken({ query }, reply) { if (query.token === 'no') return reply.code(401).send('no'); });
app.post('/', { schema: { body: { type: 'object', required: ['text'] } } }, () => 'ok');
export default app;`,
  });
  const server = new Running(folder, ['dev', '--port', '0']);
  const address = await server.address();
  await sendRequest(`${address}/?token=no`);
  await server.until(/GET {4}\/\?token=no +401 .* 2 B {2}onRequest checkToken\n/);
  await sendRequest(`${address}/nowhere`);
  await server.until(/GET {4}\/nowhere +404 .* B {2}not found\n/);
  await fetch(address, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } });
  await server.until(/POST {3}\/ +400 .* B {2}validation: body .* property 'text'\n/);
  await server.stop();
});

test('the lines of a logger are formatted, one for each request', async () => {
  const folder = makeFolder({
    'app.js': `${logging}app.get('/:id', ({ log }) => { log.warn({ kind: 'test' }, 'careful'); console.log('{ plain'); return 'ok'; });\nexport default app;`,
  });
  const server = new Running(folder, ['dev', '--port', '0']);
  const address = await server.address();
  await sendRequest(`${address}/7`);
  const [text] = await server.until(/^.*GET +\/7 +200 .*\n/s);
  expect(text).toMatch(/\d\d:\d\d:\d\d WARN {2}careful \(GET \/7\) kind="test"\n/);
  expect(text).toContain('{ plain\n');
  expect(text).not.toContain('incoming request');
  await server.stop();
});

test('--json does not change the lines of the logger, and writes its own lines in the same format', async () => {
  const folder = makeFolder({ 'app.js': `${logging}app.get('/', () => 'ok');\nexport default app;` });
  const server = new Running(folder, ['dev', '--port', '0', '--json']);
  const [line] = await server.until(/\{[^\n]*"event":"listening"[^\n]*\}\n/);
  const { address, level } = JSON.parse(line);
  expect(level).toBe('info');
  await sendRequest(address);
  await server.until(/"msg":"request completed"\}\n/);
  await server.stop();
});

test('an application that does not boot at first starts when a file is fixed or added', async () => {
  const folder = makeFolder({ 'app.js': flavors.ambit + routes });
  const server = new Running(folder, ['dev', '--port', '0']);
  await server.until(
    /app\.js: the module cannot be imported: Cannot find module .*\n +it starts when a file changes/,
  );
  writeFiles(folder, greet('one'));
  const address = await server.address();
  expect(await sendRequest(address)).toEqual({ status: 200, body: 'one' });
  await server.stop();
});

test('it starts when a missing file is added, even in a folder that was missing', async () => {
  const app = "import { greet } from './a/b/greet.js';\n";
  const folder = makeApp(flavors.ambit);
  const server = new Running(folder, ['dev', '--port', '0']);
  const address = await server.address();
  writeFiles(folder, { 'greet.js': app.replace('import', 'export') });
  await server.until(/Cannot find module .*greet\.js.*\n +still serving/);
  mkdirSync(join(folder, 'a'));
  writeFiles(folder, Object.fromEntries([['a/b/greet.js', greet('two')['greet.js']]]));
  await server.until(/greet\.js changed.*: ready in/);
  expect(await sendRequest(address)).toEqual({ status: 200, body: 'two' });
  await server.stop();
});

test('an application that has ended starts again when a file changes', async () => {
  const folder = makeApp(flavors.ambit);
  const server = new Running(folder, ['dev', '--port', '0']);
  const address = await server.address();
  await expect(sendRequest(`${address}/exit`)).rejects.toThrow();
  await server.until(/the application ended with exit code 3; it starts again when a file changes\n/);
  writeFiles(folder, greet('two'));
  await server.until(/ready in/);
  expect(await sendRequest(address)).toEqual({ status: 200, body: 'two' });
  await server.stop();
});

test('a file that was removed and written again, as some editors do, restarts it', async () => {
  const folder = makeApp(flavors.ambit);
  const server = new Running(folder, ['dev', '--port', '0']);
  const address = await server.address();
  rmSync(join(folder, 'greet.js'));
  writeFiles(folder, greet('two'));
  await server.until(/ready in/);
  expect(await sendRequest(address)).toEqual({ status: 200, body: 'two' });
  await server.stop();
});

test('a file that the application has not loaded does not restart it', async () => {
  const folder = makeApp(flavors.ambit);
  const server = new Running(folder, ['dev', '--port', '0']);
  await server.address();
  writeFiles(folder, { 'other.js': '', 'notes.txt': '' });
  writeFiles(folder, greet('two'));
  const [text] = await server.until(/.* changed.*\n/);
  expect(text).toMatch(/^\S+ greet\.js changed/);
  await server.stop();
});

for (const [what, source, message] of [
  ['no default export', '', /app\.js: the module has no default export, .*\n +it starts when a file changes/],
  ['a thrown string', "throw 'no database';", /app\.js: the module cannot be imported: no database\. /],
  ['undefined thrown', 'throw undefined;', /app\.js: the module cannot be imported: undefined\. /],
] as const) {
  test(`${what} is reported, and the application starts when the file is fixed`, async () => {
    const folder = makeFolder({ 'app.js': source });
    const server = new Running(folder, ['dev', '--port', '0']);
    await server.until(message);
    writeFiles(folder, { 'app.js': `${flavors.ambit}app.get('/', () => 'mended');\nexport default app;` });
    expect((await sendRequest(await server.address())).body).toBe('mended');
    await server.stop();
  });
}

test('NODE_ENV is development', async () => {
  const folder = makeFolder({
    'app.js': `${flavors.ambit}app.get('/', () => process.env.NODE_ENV);\nexport default app;`,
  });
  const server = new Running(folder, ['dev', '--port', '0']);
  expect((await sendRequest(await server.address())).body).toBe('development');
  await server.stop();
});

test('an error that is known before anything starts ends the command', async () => {
  const { code, stderr } = await runCommand(makeFolder({}), ['dev', 'no.js']);
  expect([code, stderr]).toEqual([
    1,
    'ambit: no.js: there is no such file. The last argument of a command is the module of the application.\n',
  ]);
});

const program = (listen: string) => `${flavors.ambit}import { greet } from './greet.js';
app.get('/', () => greet());
${listen}
`;

for (const [what, listen] of [
  ['awaits `listen`', 'show(await app.listen({ port: 0 }));'],
  ['passes a callback', 'app.listen({ port: 0 }, (error, address) => show(error ?? address));'],
  ['listens after its import', "import('node:os').then(() => app.listen()).then(show);"],
] as const) {
  test(`a program that ${what} is served, and restarts on the same port`, async () => {
    const show = 'const show = (address) => console.log(/http.*/.exec(address) && "listens");\n';
    const folder = makeFolder({ 'server.mjs': program(show + listen), ...greet('one') });
    const server = new Running(folder, ['dev', '--port', '0', 'server.mjs']);
    const [, address = ''] = await server.until(/^(?=.*listens\n).*Local +(\S+)\n/s);
    expect(await sendRequest(address)).toEqual({ status: 200, body: 'one' });
    writeFiles(folder, greet('two'));
    await server.until(/greet\.js changed: ready in/);
    expect(await sendRequest(address)).toEqual({ status: 200, body: 'two' });
    expect(await server.stop()).toBe(0);
  });
}

test('the port of a program is the default, and its other applications listen as they ask', async () => {
  const occupant = createServer().listen(0, '127.0.0.1');
  await once(occupant, 'listening');
  const { port } = occupant.address() as AddressInfo;
  occupant.close();
  await once(occupant, 'close');
  const folder = makeFolder({
    'server.mjs': program(`await app.listen({ port: ${port}, host: '127.0.0.1' });
const other = ambit({ logger: true });
other.get('/', () => 'other');
await other.listen({ port: 0, host: '127.0.0.1' });`),
    ...greet('one'),
  });
  const server = new Running(folder, ['dev', 'server.mjs']);
  const [, other = ''] = await server.until(/ (?:INFO {2})?Server listening at (http\S+)\n/);
  expect((await sendRequest(`http://127.0.0.1:${port}`)).body).toBe('one');
  expect((await sendRequest(other)).body).toBe('other');
  await server.stop();
});

test('a program whose `listen` cannot succeed gets no answer, and the command says why', async () => {
  const listen =
    "app.register(async () => { throw new Error('no database'); });\napp.listen({ port: 0 }, () => process.exit(1));";
  const folder = makeFolder({ 'server.mjs': program(listen), ...greet('one') });
  const server = new Running(folder, ['dev', 'server.mjs']);
  await server.until(
    /the application does not start\n\nAmbit cannot start: no database\.\n\n {2}server\.mjs:\d+:\d+\n.*it starts when a file changes\n/s,
  );
  expect(await server.stop()).toBe(0);
});

test('a forgotten `await` does not end the application, and is reported with its line', async () => {
  const folder = makeFolder({
    'app.js': `${flavors.ambit}
app.get('/', () => {
  Promise.reject(new Error('no database'));
  return 'ok';
});
export default app;
`,
  });
  const server = new Running(folder, ['dev', '--port', '0']);
  const address = await server.address();
  await sendRequest(address);
  await server.until(/A promise was rejected.*: no database\.\n\n {2}app\.js:\d+:\d+\n/);
  expect(await sendRequest(address)).toEqual({ status: 200, body: 'ok' });
  await server.stop();
});

test('what the inspector reads of the application is no line', async () => {
  const server = new Running(makeApp(flavors.ambit), ['dev', '--port', '0']);
  const address = await server.address();
  await fetch(`${address}/document.json`, { headers: { 'x-ambit-inspector': '1' } });
  await fetch(`${address}/shown`);
  const { input } = await server.until(/GET +\/shown/);
  expect(input).not.toContain('/document.json');
  await server.stop();
});

test('tools know of a broken save, and the inspector keeps its requests over a restart', async () => {
  const folder = makeApp(flavors.ambit);
  const server = new Running(folder, ['dev', '--port', '0']);
  const address = await server.address();
  await sendRequest(address);
  writeFiles(folder, { 'greet.js': 'export const greet = ( => 1;' });
  await server.until(/still serving the version/);
  const events = await readEvents(address, 2);
  expect(events).toContain('event: problem');
  expect(events).toContain("greet.js:1: the module cannot be imported: Unexpected token '=>'.");
  expect(await navigate(new URL('/error', address))).toMatch(
    /The last save does not start\..*Unexpected token &#39;=&gt;&#39;/s,
  );

  writeFiles(folder, greet('two'));
  await server.until(/and is mended: ready in/);
  await expect
    .poll(async () => {
      const response = await fetch(new URL('/__ambit/requests.json', address));
      const { requests } = (await response.json()) as { requests: RequestModel[] };
      return requests.map(({ number, url, state }) => [number, url, state]);
    })
    .toEqual([
      [-2, '/', 'finished'],
      [-1, '/error', 'finished'],
    ]);
  expect(await navigate(new URL('/error', address))).not.toContain('The last save');
  await server.stop();
});

/** What a browser gets that navigates. `fetch` does not. */
async function navigate(url: URL): Promise<string> {
  const request = get(url, { headers: { accept: 'text/html', 'sec-fetch-mode': 'navigate' } });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return text(response);
}

/** The text of the first events of the inspector. */
async function readEvents(address: string, count: number): Promise<string> {
  const controller = new AbortController();
  const { body } = await fetch(new URL('/__ambit/events', address), { signal: controller.signal });
  let events = '';
  for await (const chunk of body!.pipeThrough(new TextDecoderStream())) {
    events += chunk;
    if (events.split('\n\n').length > count) break;
  }
  controller.abort();
  return events;
}
