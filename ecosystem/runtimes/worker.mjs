// Serves an application for each plugin and flavor on workerd. A plugin that cannot be imported must not keep the others
// from it: each is imported when its application is created.
import { ambit } from 'ambit';
import { fastify } from 'fastify';

const flavors = { ambit, fastify };
const applications = {};

export default {
  async fetch(request, env, context) {
    const name = request.headers.get('x-create');
    try {
      if (name === null)
        return await applications[request.headers.get('x-application')].fetch(request, env, context);
      applications[name] = await create(name, JSON.parse(request.headers.get('x-surroundings')));
      return new Response();
    } catch (error) {
      return Response.json({ code: error.code ?? error.name, message: error.message }, { status: 500 });
    }
  },
};

async function create(name, surroundings) {
  const [plugin, flavor] = name.split('/');
  const entry = await import(`./plugins/${plugin}.mjs`);
  const compiled = entry.usesSchemas ? await import(`./compiled/${plugin}-${flavor}.mjs`) : undefined;
  const app = flavors[flavor]({ compiled });
  entry.setUp(app, surroundings);
  await app.ready();
  return app;
}
