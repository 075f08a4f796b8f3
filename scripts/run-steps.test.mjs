import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const program = `
  const { runSteps } = await import(process.argv[1]);
  const step = (name, command, needs = [], limitMinutes = 1, cores = 1) => ({ name, title: name, command, needs, limitMinutes, cores, env: {} });
  const results = await runSteps(JSON.parse(process.argv[2]).map((each) => step(...each)), () => {});
  console.log(JSON.stringify([...results].map(([name, { passed }]) => [name, passed]).sort()));`;

/** Runs steps in a process, and returns its lines without times. */
function run(...steps) {
  const file = fileURLToPath(new URL('run-steps.mjs', import.meta.url));
  const args = ['--input-type=module', '-e', program, file, JSON.stringify(steps)];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 50_000 });
  expect(stderr).toBe('');
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => line.replace(/ in [\d.]+ s$/, ''));
}

test('the output of steps that run beside each other comes in their order, each in one piece', () => {
  // The first step ends when the second one has ended.
  const flag = `${process.env.TMPDIR ?? '/tmp'}/run-steps-${process.pid}`;
  const first = `echo one; while [ ! -e ${flag} ]; do sleep 0.05; done; rm ${flag}; echo two`;
  expect(run(['first', first], ['second', `echo three; touch ${flag}`])).toEqual([
    '=== [1/2] first',
    'one',
    'two',
    '--- first: ok',
    '=== [2/2] second',
    'three',
    '--- second: ok',
    '[["first",true],["second",true]]',
  ]);
});

test('a step that fits beside those that run starts before one that does not', () => {
  const flag = `${process.env.TMPDIR ?? '/tmp'}/run-steps-half-${process.pid}`;
  const first = `while [ ! -e ${flag} ]; do sleep 0.05; done; rm ${flag}`;
  expect(
    run(['first', first, [], 1, 1.5], ['second', 'echo two'], ['half', `touch ${flag}`, [], 1, 0.5]),
  ).toEqual([
    '=== [1/3] first',
    '--- first: ok',
    '=== [2/3] second',
    'two',
    '--- second: ok',
    '=== [3/3] half',
    '--- half: ok',
    '[["first",true],["half",true],["second",true]]',
  ]);
});

test('a step whose need has failed does not run, and others do', () => {
  expect(run(['bad', 'exit 3'], ['needy', 'echo never', ['bad']], ['good', 'echo yes'])).toEqual([
    '=== [1/3] bad',
    '--- bad: FAILED',
    '=== needy: not run, because what it needs failed',
    '=== [3/3] good',
    'yes',
    '--- good: ok',
    '[["bad",false],["good",true],["needy",false]]',
  ]);
});

test('a step whose need fails last of all ends the run too', () => {
  expect(run(['bad', 'sleep 0.2; exit 3'], ['needy', 'echo never', ['bad']])).toEqual([
    '=== [1/2] bad',
    '--- bad: FAILED',
    '=== needy: not run, because what it needs failed',
    '[["bad",false],["needy",false]]',
  ]);
});

test('a step that hangs is ended with what it has started', () => {
  const hanging = ['hanging', 'echo begun; sleep 100 | sleep 100', [], 0.005];
  expect(run(hanging, ['next', 'echo yes'])).toEqual([
    '=== [1/2] hanging',
    'begun',
    'ended after 0.005 minutes, the limit of the step',
    '--- hanging: FAILED',
    '=== [2/2] next',
    'yes',
    '--- next: ok',
    '[["hanging",false],["next",true]]',
  ]);
});
