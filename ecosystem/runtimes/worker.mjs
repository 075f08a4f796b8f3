// Tries one plugin on workerd: `/cookie/ambit` answers what happened. Workers may not wait for anything before a request,
// and a plugin that cannot be imported must not keep the others from it: each is imported by its own request.
import { ambit } from 'ambit';
import { fastify } from 'fastify';
import { serveByFetch, tryPlugin } from './try-plugin.mjs';

const faces = { ambit, fastify };

export default {
  async fetch(request) {
    const { pathname, searchParams } = new URL(request.url);
    const [, name, face] = pathname.split('/');
    const byFetch = await tryIn(name, face, JSON.parse(searchParams.get('surroundings')));
    return Response.json({ outcome: byFetch === null ? 'runs' : 'cannot', byFetch });
  },
};

async function tryIn(name, face, surroundings) {
  try {
    const entry = await import(`./plugins/${name}.mjs`);
    const compiled = entry.usesSchemas ? await import(`./compiled/${name}-${face}.mjs`) : undefined;
    return await tryPlugin(entry, faces[face]({ compiled }), serveByFetch, surroundings);
  } catch (error) {
    return `${error.code ?? error.name}: ${error.message}`;
  }
}
