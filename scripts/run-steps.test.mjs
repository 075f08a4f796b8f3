import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { root } from './steps.mjs';

const program = `
  const { runSteps } = await import(process.argv[1]);
  const step = (name, command, needs = [], limitMinutes = 1, cores = 1) => ({ name, title: name, command, needs, limitMinutes, cores, env: {} });
  const results = await runSteps(JSON.parse(process.argv[2]).map((each) => step(...each)), () => {});
  console.log(JSON.stringify([...results].map(([name, { passed }]) => [name, passed]).sort()));`;

const flag = `${tmpdir()}/run-steps-${process.pid}`;
const waitForFlag = `while [ ! -e ${flag} ]; do sleep 0.05; done; rm ${flag}`;

/** Runs steps in a process, and returns its lines without times. */
function run(...steps) {
  const args = ['--input-type=module', '-e', program, `${root}scripts/run-steps.mjs`, JSON.stringify(steps)];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 50_000 });
  expect(stderr).toBe('');
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => line.replace(/ in [\d.]+ s$/, ''));
}

test('steps that fit beside one another run together, and each prints in one piece when it has ended', () => {
  // The first step ends when the third one has run, and the second one does not fit beside the first.
  const first = `echo one; ${waitForFlag}; sleep 1; echo two`;
  const third = ['third', `echo three; touch ${flag}`, [], 1, 0.5];
  expect(run(['first', first, [], 1, 1.5], ['second', 'echo four'], third)).toEqual([
    '=== [1/3] third',
    'three',
    '--- third: ok',
    '=== [2/3] first',
    'one',
    'two',
    '--- first: ok',
    '=== [3/3] second',
    'four',
    '--- second: ok',
    '[["first",true],["second",true],["third",true]]',
  ]);
});

test.each([
  ['exit 3', ['good', 'sleep 0.5; echo yes'], ['=== [3/3] good', 'yes', '--- good: ok']],
  // It fails last of all.
  ['sleep 0.2; exit 3', undefined, []],
])('a step whose need has failed (%s) does not run, and others do', (command, other, lines) => {
  const steps = [['bad', command], ['needy', 'echo never', ['bad']], other].filter(Boolean);
  expect(run(...steps).slice(0, -1)).toEqual([
    `=== [1/${steps.length}] bad`,
    '--- bad: FAILED',
    '=== needy: not run, because what it needs failed',
    ...lines,
  ]);
});

test('a step that hangs is ended with what it has started', () => {
  const hanging = ['hanging', 'echo begun; sleep 100 | sleep 100', [], 0.005];
  expect(run(hanging).slice(0, -1)).toEqual([
    '=== [1/1] hanging',
    'begun',
    'ended after 0.005 minutes, the limit of the step',
    '--- hanging: FAILED',
  ]);
});
