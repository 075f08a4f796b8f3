/** The two faces that every suite runs over: the facade, under the name `fastify`, and `ambit` itself. */
import { type AmbitOptions, ambit } from 'ambit';
import { type FastifyInstance, type FastifyServerOptions, fastify } from 'fastify';

export interface Face {
  face: string;
  create(options?: FastifyServerOptions): FastifyInstance;
}

export const faces: Face[] = [
  { face: 'the facade', create: (options) => fastify(options) },
  {
    face: 'ambit',
    // Plugins type what they add on the names of 'fastify'; at run time it is the same interface.
    create: (options) => ambit(options as unknown as AmbitOptions) as unknown as FastifyInstance,
  },
];
