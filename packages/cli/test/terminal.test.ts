/** What a person sees on a terminal. On Linux, where the program `script` makes one. */
import { describe, expect, test } from 'vitest';
import { makeFolder } from './support/command.ts';
import { flavors } from './support/flavors.ts';
import { ctrlC, Terminal } from './support/terminal.ts';

const folder = makeFolder({ 'app.js': `${flavors.ambit}app.get('/', () => 'ok');\nexport default app;` });
const steps = ['load the application', 'boot app.js and compile its schemas', 'write out.js'];

describe.skipIf(process.platform !== 'linux')('on a terminal', () => {
  test('the progress of compile is one line that is rewritten, and the result replaces it', async () => {
    const terminal = new Terminal(folder, ['compile', '-o', 'out.js']);
    expect(await terminal.end()).toBe(0);
    const moved = steps.map((step, i) => `\r\x1b[K[${i + 1}/3] ${step}`).join('');
    expect(terminal.output.startsWith(`${moved}\r\x1b[Kout.js: 1 routes`)).toBe(true);
  });

  test('the progress has one line for each step in CI', async () => {
    const terminal = new Terminal(folder, ['compile', '-o', 'out.js'], { CI: 'true' });
    expect(await terminal.end()).toBe(0);
    expect(terminal.output).toContain(steps.map((step, i) => `[${i + 1}/3] ${step}\r\n`).join(''));
    expect(terminal.output).not.toContain('\x1b');
  });

  for (const [env, isColored] of [
    [{}, true],
    [{ NO_COLOR: '1' }, false],
  ] as const) {
    test(`with ${JSON.stringify(env)}, routes ${isColored ? 'have' : 'have no'} colours`, async () => {
      const terminal = new Terminal(folder, ['routes'], env);
      expect(await terminal.end()).toBe(0);
      expect(terminal.output.includes('\x1b[36mGET\x1b[0m')).toBe(isColored);
    });
  }

  for (const args of [['start'], ['start', '--workers', '1'], ['dev']]) {
    test(`Ctrl-C stops ${args.join(' ')} gracefully`, async () => {
      const terminal = new Terminal(folder, [...args, '--port', '0']);
      await terminal.until(args[0] === 'dev' ? '/__ambit' : 'listening at');
      terminal.type(ctrlC);
      expect(await terminal.end()).toBe(0);
    });
  }

  test('the keys of dev restart, show the help, open addresses and quit, and the terminal is as before', async () => {
    const application = makeFolder({
      'app.js': `${flavors.ambit}app.get('/', ({ query }) => { console.log('opened by', query.by); return 'ok'; });\nexport default app;`,
      'browser.mjs': "const [, , name, url] = process.argv;\nawait fetch(url + '?by=' + name);",
    });
    const terminal = new Terminal(
      application,
      ['dev', '--port', '0'],
      { NO_COLOR: '1', BROWSER: `${process.execPath} browser.mjs fake` },
      'stty -a',
    );
    await terminal.until('h for help');
    terminal.type('h');
    await terminal.until('  i  open the inspector\r\n  c  clear the screen\r\n  q  quit\r\n');
    terminal.type('xr');
    await terminal.until('restart: ready in');
    terminal.type('o');
    await terminal.until('opened by fake');
    terminal.type('q');
    expect(await terminal.end()).toBe(0);
    expect(terminal.output).toMatch(/ icanon .* echo /s);
  });

  test('after a crash of dev, the terminal is as before', async () => {
    const application = makeFolder({
      'app.js': `${flavors.ambit}export default app;`,
      'crash.mjs': `const crash = (key) => { if (String(key) === '!') throw new Error('of the command'); };
if (process.argv[2] === 'dev') process.stdin.on('data', crash);`,
    });
    const env = { NODE_OPTIONS: '--import ./crash.mjs' };
    const terminal = new Terminal(application, ['dev', '--port', '0'], env, 'stty -a');
    await terminal.until('h for help');
    // A single key only arrives in raw mode.
    terminal.type('!');
    await terminal.end();
    expect(terminal.output).toMatch(/Error: of the command.* icanon .* echo /s);
  });

  test('inspect opens the address with the program of BROWSER', async () => {
    const application = makeFolder({
      'app.js': `${flavors.ambit}app.addHook('onRequest', async ({ url }) => console.log('requested', url));\nexport default app;`,
      'browser.mjs': "const [, , name, url] = process.argv;\nawait fetch(url + '?by=' + name);",
    });
    const terminal = new Terminal(application, ['inspect'], {
      BROWSER: `${process.execPath} browser.mjs fake`,
    });
    await terminal.until('requested /__ambit?by=fake');
    terminal.type(ctrlC);
    expect(await terminal.end()).toBe(0);
  });
});
