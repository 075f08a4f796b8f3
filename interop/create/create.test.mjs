// Applications as users create them: from the packed package, installed, checked, tested and started on every version of Node.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { casesOfLevel, isNightly } from '../test/support/level.mjs';
import { run } from '../test/support/run.mjs';
import { create, environmentOf, makeFolder, runScript, startApplication } from './support/application.mjs';

const everyNode = ['22.18', '24', '26'];
/** What each template answers. */
const answers = {
  minimal: ['/hello/ada', { greeting: 'hello ada' }],
  service: ['/livez', { status: 'ok' }],
};
const typeScriptChecks = ['lint', 'typecheck'];

const applications = casesOfLevel([
  { template: 'minimal', flags: [], checks: typeScriptChecks, versions: everyNode },
  {
    template: 'minimal',
    flags: ['--javascript'],
    checks: ['lint'],
    versions: ['20', ...everyNode],
    inCi: true,
  },
  {
    template: 'service',
    flags: [],
    checks: typeScriptChecks,
    versions: everyNode,
    // Node 24 runs them with Postgres, and Node 26 with the checks of CI.
    testedInCi: ['22.18'],
    inCi: true,
  },
  { template: 'service', flags: ['--javascript'], checks: ['lint'], versions: everyNode },
]);

describe.each(applications)('the template $template $flags', (given) => {
  const { template, flags, checks, versions, testedInCi = versions } = given;
  const { folder, remove } = makeFolder();
  const application = join(folder, 'notes');
  const [oldest] = versions;
  const [url, answer] = answers[template];

  beforeAll(async () => {
    await create(folder, oldest, 'notes', '--template', template, '--install', '--git', ...flags);
  });
  afterAll(remove);

  test.each(checks)('`npm run %s` has no findings', async (check) => {
    await runScript(application, oldest, check);
  });

  test.each(isNightly ? versions : testedInCi)('passes its tests on Node %s', async (version) => {
    expect(await runScript(application, version, 'test')).toMatch(/fail 0\n/);
  });

  test.each(versions)('starts, serves and stops on Node %s', async (version) => {
    const { origin, stop } = await startApplication(application, version, 'start');
    // A connection that is kept would delay the end for a second.
    const response = await fetch(origin + url, { headers: { connection: 'close' } });
    expect(await response.json()).toEqual(answer);
    const { complaints } = await stop();
    expect(complaints).toBe('');
  });

  test('starts for development too, without a warning of ours', async () => {
    const { origin, stop } = await startApplication(application, oldest, 'dev');
    const response = await fetch(origin + url, { headers: { connection: 'close' } });
    expect(response.status).toBe(200);
    // Such as AMBWRN012, for a body in the short form.
    expect((await stop()).complaints).not.toContain('AMBWRN');
  });

  describe.each(template === 'service' ? ['26'] : [])('the checks of its CI, on Node %s', (version) => {
    const runAmbit = (...args) => run(application, 'node_modules/.bin/ambit', args, environmentOf(version));

    test('openapi.json is current', async () => {
      expect(await runAmbit('openapi', '--check')).toBe('openapi.json: current\n');
    });

    test('the tests request every route', async () => {
      const printed = await runAmbit('routes', '--unused', '--check', '--', 'npm', 'test');
      expect(printed).toContain('Every route has been requested.');
    });
  });
});

describe('on Node 20', () => {
  test.each([
    [['--template', 'minimal'], 'TypeScript without a build needs Node 22.18 or newer'],
    [['--template', 'service'], 'TypeScript without a build needs Node 22.18 or newer'],
    [['--template', 'service', '--javascript'], 'the template service needs Node 22.18 or newer'],
  ])('%j is refused before a file is written', async (flags, reason) => {
    const { folder, remove } = makeFolder();
    onTestFinished(remove);
    await expect(create(folder, '20', 'notes', ...flags)).rejects.toThrow(reason);
    expect(readdirSync(folder)).toEqual([]);
  });
});

test('`npm create ambit` creates an application', async () => {
  const { folder, remove } = makeFolder();
  onTestFinished(remove);
  const env = {
    ...environmentOf('24'),
    npm_config_cache: join(folder, 'cache'),
    npm_config_user_agent: undefined,
  };
  const printed = await run(folder, 'npm', ['create', '--yes', 'ambit', 'notes', '--', '--javascript'], env);
  expect(printed).toMatch(/Next:\n {2}cd notes\n {2}npm install && npm run dev\n {2}open .*\n$/);
  expect(JSON.parse(readFileSync(join(folder, 'notes/package.json'), 'utf8')).name).toBe('notes');
});

/** Runs the program on a terminal, which the program `script` of Debian makes. */
function runOnTerminal(folder, version, args = '') {
  // Without a size, a terminal has no columns, and every character gets a line of its own.
  const command = `stty cols 100 rows 40; node ${inject('program')} ${args}`;
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    cwd: folder,
    env: { ...process.env, ...environmentOf(version), TERM: 'xterm', CI: undefined },
  });
  let shown = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    shown += text;
  });
  return {
    /** Waits until the terminal shows a text, and then types. */
    async type(text, keys) {
      while (!shown.includes(text)) await once(child.stdout, 'data');
      shown = '';
      child.stdin.write(keys);
    },
    async end() {
      const [status] = await once(child, 'close');
      return { status, shown };
    },
  };
}

const enter = '\r';
const down = '\x1b[B';
const ctrlC = '\x03';

describe('on a terminal', () => {
  const { folder, remove } = makeFolder();
  afterAll(remove);

  test('it asks three questions', async () => {
    const terminal = runOnTerminal(folder, '24', '--no-install');
    await terminal.type('Which folder?', `asked${enter}`);
    await terminal.type('Which runtime?', down + enter);
    await terminal.type('Which template?', down + down + down + enter);
    const { status, shown } = await terminal.end();
    expect(status).toBe(0);
    expect(shown).toContain('Created asked: template service, JavaScript, for Bun');
    expect(readdirSync(join(folder, 'asked/src'))).toContain('app.js');
  });

  test('with the folder given, it asks two, whose defaults are Node and minimal in TypeScript, and installs', async () => {
    const terminal = runOnTerminal(folder, '24', 'defaults');
    await terminal.type('Which runtime?', enter);
    await terminal.type('Which template?', enter);
    const { status, shown } = await terminal.end();
    expect(status).toBe(0);
    expect(shown).toMatch(/Installing packages with npm: done after \d+ s/);
    expect(readdirSync(join(folder, 'defaults'))).toEqual(expect.arrayContaining(['app.ts', 'node_modules']));
  });

  test('a name that npm does not accept can be corrected', async () => {
    const terminal = runOnTerminal(folder, '24');
    await terminal.type('Which folder?', `Bad${enter}`);
    await terminal.type('it has capital letters', `\x7f\x7f\x7fgood${enter}`);
    await terminal.type('Which runtime?', ctrlC);
    expect((await terminal.end()).status).toBe(130);
  });

  test('Ctrl-C creates nothing', async () => {
    const terminal = runOnTerminal(folder, '24', 'cancelled');
    await terminal.type('Which runtime?', ctrlC);
    const { status, shown } = await terminal.end();
    expect(status).toBe(130);
    expect(shown).toContain('Cancelled: nothing was created.');
    expect(readdirSync(folder)).not.toContain('cancelled');
  });

  test('Node 20 leads to what runs on it', async () => {
    const terminal = runOnTerminal(folder, '20', 'old --no-install');
    await terminal.type('Which runtime?', enter);
    await terminal.type('Which template?', enter);
    expect((await terminal.end()).status).toBe(0);
    expect(readdirSync(join(folder, 'old'))).toContain('app.js');
  });

  test('Node 20 without questions gets JavaScript, with the reason', async () => {
    const { status, shown } = await runOnTerminal(folder, '20', 'old-yes --yes').end();
    expect(status).toBe(0);
    expect(shown).toContain('template minimal, JavaScript (TypeScript without a build needs Node 22.18');
  });

  test('with a flag, it asks nothing', async () => {
    const { status, shown } = await runOnTerminal(folder, '24', 'flagged --yes').end();
    expect(status).toBe(0);
    expect(shown).toContain('Created flagged: template minimal, TypeScript');
  });
});
