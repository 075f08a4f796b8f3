'use strict';

// Prints what `require-in-the-middle` is shown, and whether the application gets what it made of it.
const { relative } = require('node:path');
const { Hook } = require('require-in-the-middle');

const shown = [];
new Hook(['fastify'], (exports, name, folder) => {
  shown.push([name, relative(process.cwd(), folder), exports.name]);
  return Object.assign((...args) => exports(...args), { isWrapped: true });
});
const { isWrapped } = require('fastify');
require('fastify/lib/errors');
console.log(JSON.stringify({ shown, isWrapped }));
