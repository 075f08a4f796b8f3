// TypeScript that compiles to CommonJS: the values of every entry point, its types, and the types that another file
// adds.
import assert = require('node:assert/strict');
import required = require('ambit');

import { compile, type Serializer } from '@ambit/json-serializer';
import * as runtime from '@ambit/json-serializer/runtime';
import { ambit, type Context, errors, hoist, LogController, type Request } from 'ambit';
import { type Client, client } from 'ambit/client';

assert.equal(required.ambit, ambit);
const tenants = hoist(async (context: Context) => {
  context.decorateRequest('tenant', 'none');
});
const app: Context = ambit({ logController: new LogController() });
app.register(tenants);
app.get('/', (request: Request) => ({ tenant: request.tenant.toUpperCase() }));
app.inject('/').then(({ body }) => assert.equal(body, '{"tenant":"NONE"}'));

const calls: Client<unknown> = client('http://localhost');
assert.equal(typeof calls.get, 'function');
assert.ok(new errors.NotFound() instanceof Error);
const write: Serializer = compile({ type: 'integer' });
assert.equal(write(1), '1');
assert.equal(typeof runtime.load, 'function');
