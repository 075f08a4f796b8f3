import { match } from 'node:assert/strict';
import plugin from 'fastify-metrics';

export function setUp(app) {
  app.register(plugin, { endpoint: '/metrics', clearRegisterOnInit: true });
  app.register(async (child) => {
    child.get('/notes/:id', () => 'a note');
  });
}

export async function check(ask) {
  await (await ask('/notes/7')).text();
  const text = await (await ask('/metrics')).text();
  match(text, /http_request_duration_seconds_count\{[^}]*route="\/notes\/:id"[^}]*\} 1/);
}
