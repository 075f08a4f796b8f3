/** The plugins that `register` accepts: plugins for ambit, and published ones, which are typed for `fastify`. */
import bearerAuth from '@fastify/bearer-auth';
import fastifyPlugin from 'fastify-plugin';
import { hoist } from '../context/boot/plugins.ts';
import type { Context } from './context.ts';
import type { PluginFunction } from './plugins.ts';

declare const app: Context;

app.register(async (context) => context.log.info(context.prefix), { prefix: '/inline' });
app.register(
  (context, { size }: { size: number }, done) => {
    context.decorate('size', size.toFixed());
    done();
  },
  { size: 1 },
);
const plugin: PluginFunction<{ size: number }> = async (_context, { size }) => {
  size.toFixed();
};
app.register(plugin, { size: 1, prefix: '/typed', logLevel: 'warn' });
app.register(hoist(plugin), { size: 1 });
app.register(plugin, () => ({ size: 1 }));
// @ts-expect-error: the plugin's option is a number.
app.register(plugin, { size: '1' });

app.register(bearerAuth, { keys: ['secret'], prefix: '/published' });
app.register(
  fastifyPlugin(async (instance) => instance.log.info('hoisted')),
  {},
);
// @ts-expect-error: keys are text.
app.register(bearerAuth, { keys: [1] });
// @ts-expect-error: not a plugin.
app.register(1);

// ---- the compiler marks the mistake itself, and the plugin keeps its types

app.register(
  async (context) => context.log.info(context.prefix),
  // @ts-expect-error: a prefix is text.
  { prefix: 4 },
);
app.register(
  (context, { size }: { size: number }) => context.decorate('size', size.toFixed()),
  // @ts-expect-error: the plugin's option is a number.
  { size: '1' },
);
app.register(
  bearerAuth,
  // @ts-expect-error: keys are text.
  { keys: [1] },
);
// @ts-expect-error: its options have to be given.
app.register(bearerAuth);

// ---- plugins that are promises

const published = import('@fastify/bearer-auth');
app.register(published, { keys: ['secret'], prefix: '/published' });
app.register(
  published,
  // @ts-expect-error: keys are text.
  { keys: [1] },
);
app.register({ default: plugin }, { size: 1 });
app.register(
  Promise.resolve({ default: plugin }),
  // @ts-expect-error: the plugin's option is a number.
  { size: '1' },
);
