import { expect, test } from 'vitest';
import { makeFolder, runCommand, runShared } from '../../test/support/command.ts';

const declare = `
app.get('/headers', ({ headers }) => headers);
app.post('/notes', (request, reply) => reply.code(201).header('x-type', request.headers['content-type']).send(request.body));
app.get('/error', () => { throw Object.assign(new Error('not today'), { statusCode: 503 }); });
app.get('/broken', (_request, reply) => reply.type('application/json').send('{'));
app.get('/bytes', (_request, reply) => reply.send(Buffer.from([0, 255, 10])));
console.log('from the module');
export default app;
`;
const flavors = {
  ambit: `import { ambit } from 'ambit';\nconst app = ambit({ logger: true });${declare}`,
  'the facade': `import fastify from '@ambit/fastify';\nconst app = fastify({ logger: true });${declare}`,
};

for (const [flavor, source] of Object.entries(flavors)) {
  const files = { 'app.js': source, 'body.json': '{"text":"milk"}' };
  const request = (...args: string[]) => runShared(makeFolder(files), ['request', ...args]);

  test(`${flavor}: the output is only the body, even if the application and its log write to standard output`, async () => {
    const { code, stdout, stderr } = await runCommand(makeFolder(files), [
      'request',
      '/headers',
      '-H',
      'X-One: 1',
      '-H',
      'x-two: 2',
      '-H',
      'x-two: 3',
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ 'x-one': '1', 'x-two': '2, 3' });
    expect(stderr).toBe('from the module\n');
  });

  test(`${flavor}: data that is JSON is posted as JSON, from the command line or from a file`, async () => {
    const typed = await request('/notes', '-d', '{"text":"milk"}', '--json');
    expect(JSON.parse(typed.stdout)).toMatchObject({
      status: 201,
      headers: { 'x-type': 'application/json' },
      body: { text: 'milk' },
    });
    expect((await request('POST', '/notes', '-d', '@body.json')).stdout).toBe('{"text":"milk"}');
  });

  test(`${flavor}: data is read from standard input`, async () => {
    const { stdout } = await runCommand(makeFolder(files), ['request', '/notes', '-d', '@-'], {
      input: '{"a":1}',
    });
    expect(stdout).toBe('{"a":1}');
  });

  test(`${flavor}: other data is text, unless a header says its type`, async () => {
    expect((await request('/notes', '-d', 'milk')).stdout).toBe('milk');
    const typed = await request('/notes', '-d', '1', '-H', 'content-type: text/plain', '-i');
    expect(typed.stdout).toMatch(
      /^HTTP\/1\.1 201 Created\r\n(.+\r\n)*x-type: text\/plain\r\n(.+\r\n)*\r\n1$/,
    );
  });

  test(`${flavor}: the exit code for an error status is 0, and 22 with --fail`, async () => {
    expect((await request('/error')).code).toBe(0);
    const { code, stdout } = await request('/error', '--fail');
    expect([code, JSON.parse(stdout).message]).toEqual([22, 'not today']);
    expect((await request('/nowhere', '-f')).code).toBe(22);
    expect((await request('/headers', '-f')).code).toBe(0);
  });
}

test('--json prints a body that is not JSON as text, whatever its type says', async () => {
  const folder = makeFolder({ 'app.js': flavors.ambit });
  const { code, stdout } = await runShared(folder, ['request', '/broken', '--json']);
  expect([code, JSON.parse(stdout).body]).toEqual([0, '{']);
});

test('bytes are not changed', async () => {
  const folder = makeFolder({ 'app.js': flavors.ambit });
  const { stdout } = await runShared(folder, ['request', 'GET', '/bytes', '--include']);
  expect(stdout.endsWith('\r\n\r\n\u0000\ufffd\n')).toBe(true);
});

test('the error for a data file that cannot be read names the file', async () => {
  const { code, stderr } = await runShared(makeFolder({ 'app.js': flavors.ambit }), [
    'request',
    '/',
    '-d',
    '@no.json',
  ]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^ambit: no\.json: it cannot be read: ENOENT.*\n$/);
});
