/** The two flavors of the framework, for tests of what must be the same on both. */
import { ambit } from 'ambit';
import { fastify } from '../../src/index.ts';

/** A test types the facade as `ambit`: what it uses is what both have. */
export const flavors: readonly (readonly [name: string, make: typeof ambit])[] = [
  ['ambit', ambit],
  ['the facade', fastify as unknown as typeof ambit],
];
