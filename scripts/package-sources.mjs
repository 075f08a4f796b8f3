// Where the source of each package of this repository begins.

const entries = {
  ambit: 'ambit/src/index.ts',
  'ambit/client': 'ambit/src/client/client.ts',
  '@ambit/fastify': 'fastify/src/index.ts',
  '@ambit/readable': 'readable/src/index.ts',
  '@ambit/form-data': 'form-data/src/index.ts',
  '@ambit/http-engine': 'http-engine/src/index.ts',
  '@ambit/inspector': 'inspector/src/index.ts',
  '@ambit/json-schema': 'json-schema/src/index.ts',
  '@ambit/json-serializer': 'json-serializer/src/index.ts',
  '@ambit/json-serializer/runtime': 'json-serializer/src/load.ts',
  '@ambit/json-validator': 'json-validator/src/index.ts',
  '@ambit/openapi': 'openapi/src/index.ts',
  '@ambit/opentelemetry': 'opentelemetry/src/index.ts',
};

/** @type {ReadonlyMap<string, URL>} By the name under which it is imported. */
export const packageSources = new Map(
  Object.entries(entries).map(([name, path]) => [name, new URL(`../packages/${path}`, import.meta.url)]),
);
