import { equal } from 'node:assert/strict';
import plugin from '@fastify/autoload';

export function setUp(app, { folder }) {
  app.register(plugin, { dir: `${folder}/routes` });
}

export async function check(ask) {
  equal(await (await ask('/notes')).text(), 'loaded');
}
