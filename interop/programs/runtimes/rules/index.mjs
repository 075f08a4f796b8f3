// Owns the rules of docs/specification.md that requests can show: each has a context of its own, below `/rules`.
import { contexts } from './contexts.mjs';
import { lifecycle } from './lifecycle.mjs';
import { responses } from './responses.mjs';
import { routes } from './routes.mjs';
import { schemas } from './schemas.mjs';

/**
 * Each rule has its number, or a title; `setUp`, which fills a context; `setUpRoot`, if it needs the root too; and
 * `requests` with a path, options, and what the rule says of the response of `ambit`: 200 if it names no status.
 */
export const rules = [...contexts, ...routes, ...schemas, ...responses, ...lifecycle].map((entry) => {
  const prefix = `/rules/${entry.path ?? entry.rule}`;
  return {
    ...entry,
    prefix,
    requests: entry.requests.map(([path, options, response]) => [prefix + path, options, response]),
  };
});

/** Rules that no request to a runtime can show. */
export const notShown = {
  2.5: 'listen: see listen.test.mjs',
  2.6: 'listen',
  2.7: 'listen',
  3.5: 'workers get compiled schemas: an invalid one fails the build',
  4.7: 'as 3.5',
  5.12: 'workers have no Ajv, and so no plugins of it',
};

/** @param factory Makes further applications, whose boot fails. */
export function addRules(app, factory) {
  for (const entry of rules) {
    app.register(async (context) => void entry.setUp(context, factory), { prefix: entry.prefix });
    entry.setUpRoot?.(app);
  }
}
