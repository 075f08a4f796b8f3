/** What plugins declare on the names of `fastify` is seen in handlers, in hooks and in plugins. */
import bearerAuth from '@fastify/bearer-auth';
import { type FastifyInstance, type FastifyPluginAsync, type FastifyReply, fastify } from 'fastify';
import type { FastifyReply as DeepReply } from 'fastify/types/reply';
import fastifyPlugin from 'fastify-plugin';

interface Store {
  find(id: string): string;
}

declare module 'fastify' {
  interface FastifyInstance {
    store: Store;
  }
  interface FastifyRequest {
    tenant: string;
  }
  interface FastifyReply {
    html(text: string): FastifyReply;
  }
  interface FastifyContextConfig {
    roles?: string[];
  }
  interface RouteShorthandOptions {
    audit?: boolean;
  }
}

const app = fastify();

app.get('/:id', { audit: true, config: { roles: ['admin'] } }, function (request, reply) {
  const roles: string[] | undefined = request.routeOptions.config.roles;
  const tenant: string = request.tenant;
  return reply.html(this.store.find(`${tenant}${roles?.length}`));
});
// @ts-expect-error: this option is not declared.
app.get('/', { audits: true }, () => 'never');
// @ts-expect-error: `audit` is a boolean.
app.get('/', { audit: 'yes' }, () => 'never');
// @ts-expect-error: `roles` is a list.
app.get('/', { config: { roles: 'admin' } }, () => 'never');
// @ts-expect-error: this member is not declared.
app.get('/', (request) => request.landlord);

app.addHook('onRequest', (request, _reply, done) => {
  request.tenant.trim();
  done();
});
app.addHook('onRoute', function (route) {
  const audit: boolean | undefined = route.audit;
  this.store.find(String(audit));
});

const plugin: FastifyPluginAsync<{ size: number }> = async (instance, { size }) => {
  instance.store.find(size.toFixed());
};
app.register(plugin, { size: 1, prefix: '/plugin' });
app.register(fastifyPlugin(plugin, { name: 'plugin', fastify: '5.x' }), { size: 1 });
// @ts-expect-error: the plugin's option is a number.
app.register(plugin, { size: '1' });
// @ts-expect-error: a hoisted plugin has the same options.
app.register(fastifyPlugin(plugin), { size: '1' });

app.register(bearerAuth, { keys: new Set(['secret']) });
// @ts-expect-error: keys are strings.
app.register(bearerAuth, { keys: new Set([1]) });

// A type from a deep import has the augmented members, too.
declare const deep: DeepReply;
const reply: FastifyReply = deep.html('text');
const instance: FastifyInstance = reply.server;
instance.store.find('id');
