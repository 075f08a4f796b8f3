// Tries one plugin on workerd: `/cookie/ambit` answers what happened. Workers may not wait for anything before a request,
// and a plugin that cannot be imported must not keep the others from it: each is imported by its own request.
import { ambit } from 'ambit';
import { fastify } from 'fastify';
import { serveByFetch, tryPlugin } from './try-plugin.mjs';

const flavors = { ambit, fastify };

export default {
  async fetch(request) {
    const { pathname, searchParams } = new URL(request.url);
    const [, name, flavor] = pathname.split('/');
    const byFetch = await tryIn(name, flavor, JSON.parse(searchParams.get('surroundings')));
    return Response.json({ outcome: byFetch === null ? 'runs' : 'cannot', byFetch });
  },
};

async function tryIn(name, flavor, surroundings) {
  try {
    const entry = await import(`./plugins/${name}.mjs`);
    const compiled = entry.usesSchemas ? await import(`./compiled/${name}-${flavor}.mjs`) : undefined;
    return await tryPlugin(entry, flavors[flavor]({ compiled }), serveByFetch, surroundings);
  } catch (error) {
    return `${error.code ?? error.name}: ${error.message}`;
  }
}
