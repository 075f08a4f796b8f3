// `require` returns the factory, which has all other exports as properties. Tools that only know the condition
// `default` get the same.
const assert = require('node:assert/strict');
const fastify = require('fastify');
const { fastify: named, default: defaultExport, errorCodes } = require('fastify');

assert.equal(typeof fastify, 'function');
assert.equal(named, fastify);
assert.equal(defaultExport, fastify);
assert.equal(new errorCodes.FST_ERR_NOT_FOUND().code, 'FST_ERR_NOT_FOUND');
assert.equal(require('./node_modules/fastify/entry.cjs'), fastify);

const app = fastify();
app.get('/', (_request, reply) => reply.send({ from: 'cjs' }));
app.inject('/', (error, reply) => {
  assert.ifError(error);
  assert.deepEqual(reply.json(), { from: 'cjs' });
});
