/** The values that decorators may have, and the type of `this` inside them. */
import type { Context } from './context.ts';

declare const app: Context;

app.decorate('greet', function (name: string) {
  return `${this.prefix} ${name.toUpperCase()}`;
});
app.decorateRequest('isLocal', function () {
  return this.ip === '127.0.0.1';
});
app.decorateReply('teapot', function (text: string) {
  return this.code(418).send(text);
});
app.decorate('size', 1).decorate(Symbol('size'), null).decorateRequest('user', null);
app.decorateRequest('agent', {
  getter() {
    return this.headers['user-agent'];
  },
});

app.decorateRequest('isLocal', function () {
  // @ts-expect-error: a request has no such member.
  return this.nonsense;
});
// @ts-expect-error: names are text or symbols.
app.decorate(1, 'value');
