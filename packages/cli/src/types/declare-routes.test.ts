// Routes with the same shared schemas: each schema is expanded once, however many routes and contexts there are.
import { expect, test } from 'vitest';
import { declareRoutes } from './declare-routes.ts';

test('shared schemas are written once for all routes and contexts that see the same', () => {
  const schemas = Object.fromEntries(
    Array.from({ length: 50 }, (_, i) => [`S${i}`, { $id: `S${i}`, type: 'string' }]),
  );
  const contexts = [{ getSchemas: () => ({ ...schemas }) }, { getSchemas: () => ({ ...schemas }) }];
  const routes = Array.from({ length: 60 }, (_, i) => ({
    method: 'GET',
    url: `/${i}`,
    options: {},
    context: contexts[i % 2],
  }));
  let expanded = 0;
  const expandSchema = (schema: unknown) => {
    expanded++;
    return schema;
  };
  const text = declareRoutes(
    routes as never,
    { expandSchema, describeSchemas: (schema: object) => schema } as never,
  );
  expect(expanded).toBe(50);
  expect(text.match(/type SharedSchemas/g)).toHaveLength(1);
  expect(text.match(/shared: SharedSchemas;/g)).toHaveLength(60);
});
