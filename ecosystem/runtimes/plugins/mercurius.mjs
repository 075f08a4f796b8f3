import { deepEqual } from 'node:assert/strict';
import plugin from 'mercurius';

/** Its routes have schemas, which workers need compiled. */
export const usesSchemas = true;

export function setUp(app) {
  app.register(plugin, {
    schema: 'type Query { add(x: Int, y: Int): Int }',
    resolvers: { Query: { add: async (_root, { x, y }) => x + y } },
  });
}

export async function check(ask) {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ query: 'query ($x: Int) { add(x: $x, y: 2) }', variables: { x: 1 } });
  deepEqual(await (await ask('/graphql', { method: 'POST', headers, body })).json(), { data: { add: 3 } });
}
