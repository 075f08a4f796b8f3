/** The two flavors of the framework, for tests of behaviour that must be the same for both. */
import { ambit } from 'ambit';
import { fastify } from '../../src/index.ts';

/** The facade has the type of `ambit`, because tests use only the members that both have. */
export const flavors: readonly (readonly [name: string, make: typeof ambit])[] = [
  ['ambit', ambit],
  ['the facade', fastify as unknown as typeof ambit],
];
