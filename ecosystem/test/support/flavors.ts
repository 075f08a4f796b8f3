/** The two flavors that every suite runs over: the facade, under the name `fastify`, and `ambit` itself. */
import { type AmbitOptions, ambit } from 'ambit';
import { type FastifyInstance, type FastifyServerOptions, fastify } from 'fastify';

export interface Flavor {
  flavor: string;
  create(options?: FastifyServerOptions): FastifyInstance;
}

export const flavors: Flavor[] = [
  { flavor: 'the facade', create: (options) => fastify(options) },
  {
    flavor: 'ambit',
    // Plugins type what they add on the names of 'fastify'; at run time it is the same interface.
    create: (options) => ambit(options as unknown as AmbitOptions) as unknown as FastifyInstance,
  },
];
