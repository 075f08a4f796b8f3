// Owns the rules of docs/specification.md that requests can show: each has a context of its own, below `/rules`.
import { contexts } from './contexts.mjs';
import { lifecycle } from './lifecycle.mjs';
import { messages } from './messages.mjs';
import { responses } from './responses.mjs';
import { routes } from './routes.mjs';
import { schemas } from './schemas.mjs';
import { transport } from './transport.mjs';

/**
 * Each rule has its number, or a title; `setUp`, which fills a context; `setUpRoot`, if it needs the root too; `notOn`, the
 * runtimes whose own server or compiler makes it impossible, which the guide names; and `requests` with a path, options, and
 * what the rule says of the response of `ambit`: 200 if it names no status.
 */
export const rules = [
  ...contexts,
  ...routes,
  ...schemas,
  ...responses,
  ...lifecycle,
  ...transport,
  ...messages,
].map((entry) => {
  const prefix = `/rules/${entry.path ?? entry.rule}`;
  return {
    ...entry,
    prefix,
    requests: entry.requests.map(([path, options, response]) => [prefix + path, options, response]),
  };
});

/** Rules about `listen`, which no request can show: see listen.test.mjs. Workers have no `listen`. */
export const notShown = {
  2.5: 'it boots, and resolves to the address',
  2.6: 'without a host, it is localhost',
  2.7: 'it rejects with the error of boot',
};

/** @param factory Makes further applications, whose boot fails. */
export function addRules(app, factory) {
  for (const entry of rules) {
    app.register(async (context) => void entry.setUp(context, factory), { prefix: entry.prefix });
    entry.setUpRoot?.(app);
  }
}
