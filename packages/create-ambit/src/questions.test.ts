import { expect, test, vi } from 'vitest';
import { readArguments } from './arguments.ts';
import { ask } from './questions.ts';

interface Question {
  message: string;
  options: { value: unknown; disabled?: boolean; hint?: string }[];
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

/** Asks on Node 20. @returns The choice, and the values that cannot be chosen. */
async function askOnNode20(...values: unknown[]) {
  asked.length = 0;
  answers.push(...values);
  const choice = await ask(readArguments(['notes']));
  const disabled = asked.flatMap(({ options }) => options.filter((option) => option.disabled));
  return { choice, disabled: disabled.map(({ value }) => value) };
}

test('it asks for the runtime first, because it decides which templates this version of Node allows', async () => {
  const { choice } = await askOnNode20('bun', 'service', true);
  expect(asked.map(({ message }) => message)).toEqual([
    'Which runtime?',
    'Which template?',
    'Which language?',
  ]);
  expect(choice).toEqual({ folder: 'notes', runtime: 'bun', template: 'service', isJavaScript: true });
});

test.each([
  ['node', ['cloudflare', 'service', false]],
  ['bun', ['cloudflare']],
  ['deno', ['cloudflare']],
])('on Node 20, an application for %s cannot have %j', async (runtime, expected) => {
  expect((await askOnNode20(runtime, 'minimal', true)).disabled).toEqual(expected);
});
