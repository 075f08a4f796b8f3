// Whatever hooks give to `done`, throw or reject with, and however often: the first thing that a hook says counts, and one response leaves.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context } from 'ambit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AnyValue, anyValue } from '../../test/support/any-value.ts';
import { flavors } from '../../test/support/flavors.ts';
import { forbidProcessFaults } from '../../test/support/process-faults.ts';
import { serve } from '../../test/support/serve.ts';

forbidProcessFaults();

type Done = (error?: unknown, payload?: unknown) => void;

/** One thing that a hook says about its end. */
interface Saying {
  readonly way: 'done' | 'throw';
  readonly value: AnyValue;
  readonly isLate: boolean;
}

/** What a hook in callback style says, in order; what an async one rejects with, or that it passes. */
interface Behaviour {
  readonly style: 'callback' | 'promise';
  readonly sayings: readonly Saying[];
}

const nothing: AnyValue = { what: 'nothing', make: () => undefined, toString: () => 'nothing' };
const shown = <T extends object>(value: T, text: string): T => ({ ...value, toString: () => text });

const saying: fc.Arbitrary<Saying> = fc
  .record({
    way: fc.constantFrom('done' as const, 'throw' as const),
    value: fc.oneof({ arbitrary: fc.constant(nothing), weight: 3 }, { arbitrary: anyValue, weight: 2 }),
    isLate: fc.boolean(),
  })
  .map((said) => shown(said, `${said.isLate ? 'later ' : ''}${said.way}(${said.value})`));

const behaviour: fc.Arbitrary<Behaviour> = fc
  .record({
    style: fc.constantFrom('callback' as const, 'promise' as const),
    sayings: fc.array(saying, { minLength: 1, maxLength: 3 }),
  })
  .map((behaviour) => shown(behaviour, `${behaviour.style}: ${behaviour.sayings}`));

/** What a callback says: nobody catches what it throws later, so that is said by `done`. */
function callBack({ sayings }: Behaviour, done: Done): void {
  for (const { value } of sayings.filter(({ isLate }) => isLate)) setTimeout(() => done(value.make()), 0);
  for (const { way, value } of sayings.filter(({ isLate }) => !isLate)) {
    if (way === 'throw') throw value.make();
    done(value.make());
  }
}

async function promise({ sayings }: Behaviour): Promise<void> {
  const { way, value, isLate } = sayings[0]!;
  if (isLate) await nextTurn();
  if (way === 'throw') throw value.make();
}

/** Whether the hook lets the request pass: by the first thing that it says, what it says at once before what it says later. */
function passes({ style, sayings }: Behaviour): boolean {
  if (style === 'promise') return sayings[0]!.way === 'done';
  const first = sayings.find(({ isLate }) => !isLate) ?? sayings[0]!;
  const isThrown = first.way === 'throw' && !first.isLate;
  return !isThrown && (first.value.make() ?? null) === null;
}

/** The phases in order; the parser of the body is one among them. */
const guards = ['onRequest', 'preParsing', 'parser', 'preValidation', 'preHandler'] as const;
const sendings = ['preSerialization', 'onSend'] as const;
const watchers = ['onError', 'onResponse'] as const;
const phases = [...guards, ...sendings, ...watchers] as const;
type Phase = (typeof phases)[number];

/** The position of `done` among the arguments of a hook. */
const donePosition: Record<Exclude<Phase, 'parser'>, number> = {
  onRequest: 2,
  preParsing: 3,
  preValidation: 2,
  preHandler: 2,
  preSerialization: 3,
  onSend: 3,
  onError: 3,
  onResponse: 2,
};

type Scene = Readonly<Record<Phase, readonly Behaviour[]>>;
const hooksOfPhase = fc.oneof(
  { arbitrary: fc.constant([]), weight: 2 },
  { arbitrary: fc.array(behaviour, { maxLength: 2 }), weight: 1 },
);
const scene: fc.Arbitrary<Scene> = fc.record({
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

const passing: Behaviour = { style: 'callback', sayings: [{ way: 'done', value: nothing, isLate: false }] };

/** A route with places for two hooks a phase, of either style, which play the scene that stands at the moment. */
class Stage {
  scene!: Scene;
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
    const behaviour = this.scene[phase][at];
    return behaviour?.style === style ? behaviour : passing;
  }

  #parse(done: Done): unknown {
    const { style, sayings } = this.scene.parser[0] ?? passing;
    return style === 'promise' ? promise({ style, sayings }) : callBack({ style, sayings }, done);
  }
}

/** What must come of a scene. The first hook that refuses ends the way in; one of the way out fails the answer. */
function expected({ parser, ...scene }: Scene): { handlerRuns: number; isAnswered: boolean } {
  const hooks = { ...scene, parser: parser.slice(0, 1) };
  const isLetIn = guards.every((phase) => hooks[phase].every(passes));
  return {
    handlerRuns: isLetIn ? 1 : 0,
    isAnswered: isLetIn && sendings.every((phase) => hooks[phase].every(passes)),
  };
}

for (const [flavor, make] of flavors) {
  test(`hooks and parsers of ${flavor} that pass any value leave one response: the route’s, or an error`, async () => {
    const app = make({ forceCloseConnections: true });
    const stage = new Stage(app);
    const origin = await serve(app);
    await fc.assert(
      fc.asyncProperty(scene, async (scene) => {
        stage.scene = scene;
        stage.handlerRuns = 0;
        stage.responses = 0;
        const response = await fetch(origin, {
          method: 'POST',
          body: 'x',
          headers: { 'content-type': 'text/x' },
        });
        const body = await response.text();
        await nextTurn();
        const { handlerRuns, isAnswered } = expected(scene);
        expect({ handlerRuns: stage.handlerRuns, responses: stage.responses }).toEqual({
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
