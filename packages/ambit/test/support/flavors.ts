/** Both flavors of the framework, for behaviour that must be the same on either. */
import { type AmbitOptions, ambit, type Context } from 'ambit';
import { fastify } from '../../../fastify/src/index.ts';

export const flavors: readonly (readonly [name: string, make: (options?: AmbitOptions) => Context])[] = [
  ['ambit', ambit],
  ['the facade', fastify],
];
