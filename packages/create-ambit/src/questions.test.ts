import { expect, test, vi } from 'vitest';
import { readArguments } from './arguments.ts';
import { ask, chooseDefaults } from './questions.ts';

interface Question {
  message: string;
  options: { value: unknown; label: string; disabled?: boolean; hint?: string }[];
}

const asked: Question[] = [];
/** The answers to the next questions. */
const answers: unknown[] = [];

vi.mock('@clack/prompts', () => ({
  select: async (question: Question) => {
    asked.push(question);
    return answers.shift();
  },
}));

vi.mock('./requirements.ts', async (load) => {
  const requirements = await load<typeof import('./requirements.ts')>();
  const onNode20: typeof requirements.findNodeObstacle = (template, isJavaScript, runtime) =>
    requirements.findNodeObstacle(template, isJavaScript, runtime, '20.19.0');
  return { ...requirements, findNodeObstacle: onNode20 };
});

const inJavaScript = { template: 'minimal', isJavaScript: true };

/** Asks on Node 20. @returns The choice, and what cannot be chosen. */
async function askOnNode20(...values: unknown[]) {
  asked.length = 0;
  answers.push(...values);
  const choice = await ask(readArguments(['notes']));
  const disabled = asked.flatMap(({ options }) => options.filter((option) => option.disabled));
  return { choice, disabled: disabled.map(({ label, hint }) => `${label}: ${hint}`) };
}

test('it asks for the runtime first, because it decides which templates this version of Node allows', async () => {
  const { choice } = await askOnNode20('bun', { template: 'service', isJavaScript: true });
  expect(asked.map(({ message }) => message)).toEqual(['Which runtime?', 'Which template?']);
  expect(choice).toEqual({ folder: 'notes', runtime: 'bun', template: 'service', isJavaScript: true });
});

test('the template and its language are one question', async () => {
  await askOnNode20('bun', inJavaScript);
  expect(asked[1]!.options.map(({ label }) => label)).toEqual([
    'minimal, in TypeScript',
    'minimal, in JavaScript',
    'service, in TypeScript',
    'service, in JavaScript',
  ]);
});

const worker = 'Cloudflare Workers, on workerd: needs Node 22.18 or newer';

test.each([
  [
    'node',
    [
      worker,
      'minimal, in TypeScript: needs Node 22.18 or newer',
      'service, in TypeScript: needs Node 22.18 or newer',
      'service, in JavaScript: needs Node 22.18 or newer',
    ],
  ],
  ['bun', [worker]],
  ['deno', [worker]],
])('on Node 20, an application for %s cannot have %j', async (runtime, expected) => {
  expect((await askOnNode20(runtime, inJavaScript)).disabled).toEqual(expected);
});

test.each([
  [['--yes'], true],
  [['--yes', '--runtime', 'node'], true],
  [['--yes', '--runtime', 'bun'], false],
  // The reason why it cannot be created is then the error.
  [['--yes', '--template', 'minimal'], false],
  [['--yes', '--runtime', 'cloudflare'], false],
])('on Node 20 without questions, %j is JavaScript: %s', (args, expected) => {
  expect(chooseDefaults(readArguments(args)).isJavaScript).toBe(expected);
});
