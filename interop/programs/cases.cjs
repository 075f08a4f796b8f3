'use strict';

// What each test runner runs, whichever way it loads the flavors: `[title, check]`.
const assert = require('node:assert/strict');
const { exercise, refusal } = require('./exercise.cjs');
const expected = require('./expected.json')[process.versions.node.split('.')[0]];

exports.listCases = ({ fastify, ambit, errorCodes, SerializationError, compile }) => [
  [
    'the facade answers as it does outside of a test runner',
    async () => assert.deepEqual(await exercise(fastify), expected.fastify),
  ],
  [
    'ambit answers as it does outside of a test runner',
    async () => assert.deepEqual(await exercise(ambit), expected.ambit),
  ],
  [
    'errors of both flavors are errors of the test',
    async () => {
      assert.equal(refusal(fastify).isError, true);
      assert.equal(refusal(ambit).isError, true);
      assert.ok(new errorCodes.FST_ERR_NOT_FOUND() instanceof Error);
      assert.throws(() => compile({ type: 'integer' })('text'), SerializationError);
    },
  ],
];
