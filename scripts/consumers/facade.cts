// TypeScript that compiles to CommonJS: with `import`, with `import = require`, and as a namespace.
import assert = require('node:assert/strict');
import required = require('fastify');

import type { FastifyInstance } from 'fastify';
import * as everything from 'fastify';
import defaultExport, { errorCodes, fastify } from 'fastify';

for (const factory of [
  required,
  defaultExport,
  fastify,
  everything.default,
  everything.fastify,
  required.default,
]) {
  assert.equal(factory, fastify);
}
const app: required.FastifyInstance = required();
const same: FastifyInstance = app.get('/', async () => 'typed');
same.inject('/').then(({ body }) => assert.equal(body, 'typed'));
assert.equal(new errorCodes.FST_ERR_BAD_URL('/%').statusCode, 400);
