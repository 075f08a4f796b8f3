import { deepEqual } from 'node:assert/strict';
import plugin from '@fastify/postgres';

export function setUp(app, { database }) {
  app.register(plugin, { connectionString: database, maxUses: 1 });
  app.get('/', async (request) => {
    const { rows } = await app.pg.query('select $1::int + 1 as next', [request.query.number]);
    return rows;
  });
}

export async function check(ask) {
  deepEqual(await (await ask('/?number=6')).json(), [{ next: 7 }]);
  deepEqual(await (await ask('/?number=7')).json(), [{ next: 8 }]);
}
