// Hooks that pass any value to `done`, throw or reject, any number of times: the first outcome of a hook counts, and there is one response.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context } from 'ambit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AnyValue, anyValue } from '../../test/support/any-value.ts';
import { flavors } from '../../test/support/flavors.ts';
import { donePosition as positionBeforeReply } from '../../test/support/hook-styles.ts';
import { forbidProcessFaults } from '../../test/support/process-faults.ts';
import { serve } from '../../test/support/serve.ts';

forbidProcessFaults();

type Done = (error?: unknown, payload?: unknown) => void;

/** One way in which a hook ends. */
interface Outcome {
  readonly way: 'done' | 'throw';
  readonly value: AnyValue;
  readonly isLate: boolean;
}

/** The outcomes of a hook in callback style, in order; an async hook only has the first one. */
interface Behaviour {
  readonly style: 'callback' | 'promise';
  readonly outcomes: readonly Outcome[];
}

const nothing: AnyValue = { what: 'nothing', make: () => undefined, toString: () => 'nothing' };
const withText = <T extends object>(value: T, text: string): T => ({ ...value, toString: () => text });

const anyOutcome: fc.Arbitrary<Outcome> = fc
  .record({
    way: fc.constantFrom('done' as const, 'throw' as const),
    value: fc.oneof({ arbitrary: fc.constant(nothing), weight: 3 }, { arbitrary: anyValue, weight: 2 }),
    isLate: fc.boolean(),
  })
  .map((outcome) => withText(outcome, `${outcome.isLate ? 'later ' : ''}${outcome.way}(${outcome.value})`));

const behaviour: fc.Arbitrary<Behaviour> = fc
  .record({
    style: fc.constantFrom('callback' as const, 'promise' as const),
    outcomes: fc.array(anyOutcome, { minLength: 1, maxLength: 3 }),
  })
  .map((behaviour) => withText(behaviour, `${behaviour.style}: ${behaviour.outcomes}`));

/** Runs the outcomes of a hook in callback style. A later one always calls `done`, because nothing would catch a later error. */
function callBack({ outcomes }: Behaviour, done: Done): void {
  for (const { value } of outcomes.filter(({ isLate }) => isLate)) setTimeout(() => done(value.make()), 0);
  for (const { way, value } of outcomes.filter(({ isLate }) => !isLate)) {
    if (way === 'throw') throw value.make();
    done(value.make());
  }
}

async function promise({ outcomes }: Behaviour): Promise<void> {
  const { way, value, isLate } = outcomes[0]!;
  if (isLate) await nextTurn();
  if (way === 'throw') throw value.make();
}

/** Whether the request continues, by the first outcome of the hook. A synchronous outcome comes before a later one. */
function passes({ style, outcomes }: Behaviour): boolean {
  if (style === 'promise') return outcomes[0]!.way === 'done';
  const first = outcomes.find(({ isLate }) => !isLate) ?? outcomes[0]!;
  const isThrown = first.way === 'throw' && !first.isLate;
  return !isThrown && (first.value.make() ?? null) === null;
}

/** The phases in order, with the parser of the body. */
const phasesBeforeHandler = ['onRequest', 'preParsing', 'parser', 'preValidation', 'preHandler'] as const;
const phasesOfReply = ['preSerialization', 'onSend'] as const;
const watchers = ['onError', 'onResponse'] as const;
const phases = [...phasesBeforeHandler, ...phasesOfReply, ...watchers] as const;
type Phase = (typeof phases)[number];

const donePosition: Record<Exclude<Phase, 'parser'>, number> = {
  ...positionBeforeReply,
  onError: 3,
  onResponse: 2,
};

type Scenario = Readonly<Record<Phase, readonly Behaviour[]>>;
const hooksOfPhase = fc.oneof(
  { arbitrary: fc.constant([]), weight: 2 },
  { arbitrary: fc.array(behaviour, { maxLength: 2 }), weight: 1 },
);
const scenario: fc.Arbitrary<Scenario> = fc.record({
  onRequest: hooksOfPhase,
  preParsing: hooksOfPhase,
  parser: hooksOfPhase,
  preValidation: hooksOfPhase,
  preHandler: hooksOfPhase,
  preSerialization: hooksOfPhase,
  onSend: hooksOfPhase,
  onError: hooksOfPhase,
  onResponse: hooksOfPhase,
});

const passing: Behaviour = { style: 'callback', outcomes: [{ way: 'done', value: nothing, isLate: false }] };

/** A route with two hooks for each phase, in either style, which behave as the current scenario says. */
class ScenarioApp {
  scenario!: Scenario;
  handlerRuns = 0;
  responses = 0;

  constructor(app: Context) {
    app.addHook('onResponse', async () => {
      this.responses++;
    });
    app.addContentTypeParser('text/x', ((_request: unknown, _body: unknown, done: Done) =>
      this.#parse(done)) as never);
    const hooks = Object.keys(donePosition).map((name) => [
      name,
      this.#hooksOf(name as keyof typeof donePosition),
    ]);
    app.post('/', Object.fromEntries(hooks), () => {
      this.handlerRuns++;
      return { a: 1 };
    });
  }

  #hooksOf(phase: keyof typeof donePosition): unknown[] {
    return [0, 1].flatMap((at) => [
      (...args: unknown[]) =>
        callBack(this.#behaviour(phase, at, 'callback'), args[donePosition[phase]] as Done),
      async () => promise(this.#behaviour(phase, at, 'promise')),
    ]);
  }

  #behaviour(phase: Phase, at: number, style: Behaviour['style']): Behaviour {
    const behaviour = this.scenario[phase][at];
    return behaviour?.style === style ? behaviour : passing;
  }

  #parse(done: Done): unknown {
    const { style, outcomes } = this.scenario.parser[0] ?? passing;
    return style === 'promise' ? promise({ style, outcomes }) : callBack({ style, outcomes }, done);
  }
}

/**
 * The expected response of a scenario. The first hook that fails before the handler ends the request; one that fails after it fails the
 * reply.
 */
function expected({ parser, ...scenario }: Scenario): { handlerRuns: number; isAnswered: boolean } {
  const hooks = { ...scenario, parser: parser.slice(0, 1) };
  const reachesHandler = phasesBeforeHandler.every((phase) => hooks[phase].every(passes));
  return {
    handlerRuns: reachesHandler ? 1 : 0,
    isAnswered: reachesHandler && phasesOfReply.every((phase) => hooks[phase].every(passes)),
  };
}

for (const [flavor, make] of flavors) {
  test(`hooks and parsers of ${flavor} that pass any value leave one response: the route’s, or an error`, async () => {
    const app = make({ forceCloseConnections: true });
    const scenarioApp = new ScenarioApp(app);
    const origin = await serve(app);
    await fc.assert(
      fc.asyncProperty(scenario, async (scenario) => {
        scenarioApp.scenario = scenario;
        scenarioApp.handlerRuns = 0;
        scenarioApp.responses = 0;
        const response = await fetch(origin, {
          method: 'POST',
          body: 'x',
          headers: { 'content-type': 'text/x' },
        });
        const body = await response.text();
        await nextTurn();
        const { handlerRuns, isAnswered } = expected(scenario);
        expect({ handlerRuns: scenarioApp.handlerRuns, responses: scenarioApp.responses }).toEqual({
          handlerRuns,
          responses: 1,
        });
        expect(response.status >= 400).toBe(!isAnswered);
        expect(body === '{"a":1}' && response.status === 200).toBe(isAnswered);
      }),
      { numRuns: 400, timeout: 20_000 },
    );
  });
}
