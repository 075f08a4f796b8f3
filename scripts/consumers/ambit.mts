// The same checks as in ambit.cts, in an ES module. The types that it adds are visible in CommonJS, too, and the objects
// are identical.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { compile, SchemaError } from '@ambit/json-serializer';
import { load } from '@ambit/json-serializer/runtime';
import { ambit, type errors, hoist } from 'ambit';
import { client } from 'ambit/client';

declare module 'ambit' {
  interface Request {
    tenant: string;
  }
}

const require = createRequire(import.meta.url);
assert.deepEqual({ ...require('@ambit/json-serializer') }.compile, compile);
assert.equal(require('@ambit/json-serializer/runtime').load, load);
assert.equal(require('ambit').hoist, hoist);
assert.equal(require('ambit/client').client, client);
assert.throws(() => require('@ambit/json-serializer').compile({ type: 'strng' }), SchemaError);

const app = ambit().decorateRequest('tenant', 'none');
app.get('/', ({ tenant }) => tenant.trim());
assert.equal((await app.inject('/')).body, 'none');
const known: typeof errors = require('ambit').errors;
assert.ok(Object.keys(known).length > 10);
