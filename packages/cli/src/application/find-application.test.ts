import { expect, test } from 'vitest';
import { makeFolder, runShared } from '../../test/support/command.ts';

const app = (url: string) =>
  `import { ambit } from 'ambit';\nconst app = ambit();\napp.get('${url}', () => 'ok');\nexport default app;\n`;

for (const [what, files, args, url] of [
  ['the last argument names the application', { 'x.js': app('/x'), 'app.js': app('/app') }, ['x.js'], '/x'],
  [
    'left out, it is ambit.app of package.json',
    {
      'package.json': '{"type":"module","ambit":{"app":"lib/main.js"}}',
      'lib/main.js': app('/main'),
      'app.js': app('/app'),
    },
    [],
    '/main',
  ],
  ['else src/app.js', { 'src/app.js': app('/src'), 'app.js': app('/app') }, [], '/src'],
  ['src/app.mjs comes before app.js', { 'src/app.mjs': app('/src'), 'app.js': app('/app') }, [], '/src'],
  ['else app.js', { 'app.js': app('/app'), 'app.mjs': app('/mjs') }, [], '/app'],
  ['else app.mjs', { 'app.mjs': app('/mjs') }, [], '/mjs'],
] as const) {
  test(what, async () => {
    const { code, stdout } = await runShared(makeFolder(files), ['routes', '--json', ...args]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).map((route: { url: string }) => route.url)).toEqual([url]);
  });
}

test('in a folder of a package, the application of the package is found', async () => {
  const folder = makeFolder({ 'src/app.js': app('/src'), 'test/empty.txt': '' });
  const { stdout } = await runShared(`${folder}/test`, ['routes', '--json']);
  expect(JSON.parse(stdout)[0].url).toBe('/src');
});

for (const [what, files, args, message] of [
  [
    'no application',
    {},
    [],
    /there is no application in .*: neither src\/app nor app with \.ts, \.js or \.mjs\. Name the module/,
  ],
  ['a file that is not there', {}, ['no.js'], /^ambit: no\.js: there is no such file\./],
  ['a folder', { 'src/x.js': '' }, ['src'], /^ambit: src is a folder\. Name the module/],
  [
    'a file of package.json that is not there',
    { 'package.json': '{"ambit":{"app":"no.js"}}' },
    [],
    /^ambit: `ambit\.app` of package\.json: there is no such file\./,
  ],
  [
    'an ambit.app that is no string',
    { 'package.json': '{"ambit":{"app":1}}' },
    [],
    /`ambit\.app` is not a string/,
  ],
  ['a package.json that is not JSON', { 'package.json': '{' }, [], /^ambit: package\.json: it is not JSON/],
] as const) {
  test(`${what} is reported in one line`, async () => {
    const { code, stdout, stderr } = await runShared(makeFolder(files), ['routes', ...args]);
    expect([code, stdout, stderr.trim().split('\n').length]).toEqual([1, '', 1]);
    expect(stderr).toMatch(message);
  });
}
