// The same checks as in ambit.cts, in an ES module. The types that it adds are visible in CommonJS, too.
import assert from 'node:assert/strict';
import { compile, SchemaError } from '@ambit/json-serializer';
import { load } from '@ambit/json-serializer/runtime';
import { ambit, errors, hoist } from 'ambit';
import { client } from 'ambit/client';

declare module 'ambit' {
  interface Request {
    tenant: string;
  }
}

for (const exported of [load, hoist, client, errors.NotFound]) assert.equal(typeof exported, 'function');
assert.throws(() => compile({ type: 'strng' } as never), SchemaError);

const app = ambit().decorateRequest('tenant', 'none');
app.get('/', ({ tenant }) => tenant.trim());
assert.equal((await app.inject('/')).body, 'none');
