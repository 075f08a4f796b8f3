// Every way in which an ES module can load the facade returns the same factory, error catalogue and deep imports.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import * as ambit from 'ambit';
import * as everything from 'fastify';
import defaultExport, { errorCodes, fastify, LogController } from 'fastify';
import errorsByDeepImport from 'fastify/lib/errors.js';
import Reply from 'fastify/lib/reply.js';
import symbols from 'fastify/lib/symbols.js';

const require = createRequire(import.meta.url);
const factories = [defaultExport, everything.default, everything.fastify, fastify.fastify, fastify.default];
for (const factory of [...factories, require('fastify'), require('fastify').default])
  assert.equal(factory, fastify);
assert.equal(require('./node_modules/fastify/entry.cjs'), fastify);
assert.equal(require('fastify').errorCodes, errorCodes);
assert.equal(require('fastify').LogController, LogController);
assert.equal(require('fastify/lib/errors'), errorsByDeepImport);
assert.equal(require('fastify/lib/reply'), Reply);
assert.equal(require('fastify/lib/symbols'), symbols);
// They are the objects of ambit.
assert.equal(LogController, ambit.LogController);
for (const [code, Class] of Object.entries(errorCodes))
  assert(
    Object.values(ambit.errors).some(({ ecosystem }) => ecosystem === Class),
    code,
  );
// Loaders of plugins import both.
await Promise.all([import('fastify'), import('ambit'), import('fastify/lib/reply')]);

const app = fastify();
app.get('/', async () => ({ from: 'esm' }));
assert.deepEqual((await app.inject('/')).json(), { from: 'esm' });
