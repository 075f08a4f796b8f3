'use strict';

// Prints what both flavors answer where no test runner is.
const { ambit } = require('ambit');
const fastify = require('fastify');
const { exercise } = require('./exercise.cjs');

(async () => {
  const expected = { fastify: await exercise(fastify), ambit: await exercise(ambit) };
  console.log(JSON.stringify(expected));
})();
