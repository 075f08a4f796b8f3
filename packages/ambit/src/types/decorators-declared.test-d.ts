/** The types of decorators that the application declares for every context, and the initial values of requests and replies. */
import { ambit } from '../index.ts';

declare module '../index.ts' {
  interface Context {
    declaredClock(): number;
  }
  interface Request {
    declaredAtMs: number;
    declaredUser: { name: string };
    declaredShout(text: string): string;
  }
  interface Reply {
    declaredTeapot(text: string): Reply;
  }
}

/** Compiles only if both types are the same. */
declare function same<Expected>(): <Actual>(
  actual: Actual,
  ...proof: (<T>() => T extends Actual ? 1 : 2) extends <T>() => T extends Expected ? 1 : 2 ? [] : [never]
) => void;

const app = ambit();

// ---- declared for every context

app.decorate('declaredClock', () => 1);
app.decorateRequest('declaredAtMs', 0);
app.decorateRequest('declaredUser', null);
app.decorateRequest('declaredUser', {
  getter() {
    return { name: this.ip ?? '' };
  },
});
app.decorateRequest('declaredShout', (text) => text.toUpperCase());
app.decorateReply('declaredTeapot', function (text) {
  return this.code(418).send(text);
});
// @ts-expect-error: it gives a number.
app.decorate('declaredClock', () => 'late');
// @ts-expect-error: a context has it from the start.
app.decorate('declaredClock', null);
// @ts-expect-error: it is a number.
app.decorateRequest('declaredAtMs', 'late');
// @ts-expect-error: it takes a text.
app.decorateRequest('declaredShout', (text: number) => String(text));
app.decorateRequest('declaredUser', {
  // @ts-expect-error: a name is text.
  getter() {
    return { name: 1 };
  },
});
same<number>()(app.decorate('declaredClock', () => 1).declaredClock());

// ---- objects

const decorated = app
  .decorate('table', { a: 1 })
  .decorateRequest('user', null as { name: string } | null)
  .decorateRequest('list', undefined as string[] | undefined)
  .decorateRequest('text', '')
  .decorateRequest<'later', { name: string }>('later')
  .decorateRequest('Kind', class Kind {})
  .decorateRequest('lazy', { getter: () => ({ a: 1 }) })
  .decorateReply('times', 0);
decorated.get('/', (request, reply) => {
  same<{ name: string } | null>()(request.user);
  same<string>()(request.text);
  same<string[] | undefined>()(request.list);
  same<{ name: string }>()(request.later);
  same<{ a: number }>()(request.lazy);
  same<number>()(reply.times);
});
// @ts-expect-error: all requests would have the same object.
app.decorateRequest('ref', { a: 1 });
// @ts-expect-error: all requests would have the same list.
app.decorateRequest('ref', []);
// @ts-expect-error: all replies would have the same map.
app.decorateReply('ref', new Map());
