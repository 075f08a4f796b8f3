import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { makeFolder, runCommand, runShared } from '../test/support/command.ts';
import { commands } from './commands.ts';

const folder = makeFolder({});

test('--version prints the version of the package', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  expect(await runCommand(folder, ['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
});

for (const args of [['--help'], ['-h'], ['help']]) {
  test(`${args.join(' ')} lists every command`, async () => {
    const { code, stdout } = await runShared(makeFolder({}), args);
    expect(code).toBe(0);
    for (const { name, summary } of commands) expect(stdout).toMatch(new RegExp(`  ${name} +${summary}\\n`));
  });
}

test('without a command it prints the help, and exits with 2', async () => {
  const { code, stdout } = await runCommand(folder, []);
  expect(code).toBe(2);
  expect(stdout).toContain('Usage  ambit <command>');
});

for (const { name, summary, options } of commands) {
  test(`${name} --help describes every option`, async () => {
    const { code, stdout } = await runShared(makeFolder({}), [name, '--help']);
    expect(code).toBe(0);
    expect(stdout).toContain(summary);
    for (const [option, { description }] of Object.entries(options)) {
      expect(stdout).toContain(`--${option}`);
      expect(stdout).toContain(description);
    }
    expect(await runShared(makeFolder({}), ['help', name])).toEqual({ code, stdout, stderr: '' });
  });
}

for (const [args, message] of [
  [['rotues'], 'ambit: there is no command `rotues`; did you mean `ambit routes`? See `ambit --help`.'],
  [['xyzzy'], 'ambit: there is no command `xyzzy`. See `ambit --help`.'],
  [['routes', '--jsno'], 'ambit: there is no option --jsno; did you mean --json? See `ambit routes --help`.'],
  [['routes', '--nothing'], 'ambit: there is no option --nothing. See `ambit routes --help`.'],
  [['--verson'], 'ambit: there is no option `--verson`; did you mean `ambit --version`? See `ambit --help`.'],
  [['openapi', '-o'], 'ambit: --output needs a value: FILE. See `ambit openapi --help`.'],
  [['routes', 'a.js', 'b.js'], 'ambit: unexpected argument `b.js`. See `ambit routes --help`.'],
  [['openapi', '--', 'b.js'], 'ambit: unexpected argument `b.js`. See `ambit openapi --help`.'],
  [['request'], 'ambit: there is no path to request. See `ambit request --help`.'],
  [['request', 'notes'], 'ambit: no argument is a path: `notes`. See `ambit request --help`.'],
  [['request', '/', '-H', 'x'], 'ambit: `x` is not a header: `name: value`. See `ambit request --help`.'],
] as const) {
  test(`\`ambit ${args.join(' ')}\` is rejected with exit code 2 and one line`, async () => {
    expect(await runShared(makeFolder({}), args)).toEqual({ code: 2, stdout: '', stderr: `${message}\n` });
  });
}

for (const [command, file] of [
  ['openapi', 'openapi.json'],
  ['types', 'routes.d.ts'],
  ['compile', 'compiled.js'],
] as const) {
  test(`${command}: a file that cannot be written is reported in one line`, async () => {
    const application = makeFolder({ 'app.js': "import { ambit } from 'ambit';\nexport default ambit();" });
    const { code, stdout, stderr } = await runShared(application, [command, '-o', `nowhere/${file}`]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr.trimEnd().split('\n').at(-1)).toMatch(
      new RegExp(
        `^ambit: nowhere/${file}: it cannot be written: ENOENT.* The folder must exist; --output names another file\\.$`,
      ),
    );
  });
}

for (const [what, env, isColored] of [
  ['without a terminal there is no colour', {}, false],
  ['FORCE_COLOR colours what is not a terminal', { FORCE_COLOR: '1' }, true],
  ['FORCE_COLOR=0 does not', { FORCE_COLOR: '0' }, false],
  ['NO_COLOR wins over a terminal that may have colours', { NO_COLOR: '1', TERM: 'xterm-256color' }, false],
] as const) {
  test(what, async () => {
    const { stdout } = await runCommand(folder, ['--help'], { env });
    expect(stdout.includes('\x1b[')).toBe(isColored);
  });
}
