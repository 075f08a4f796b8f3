'use strict';

// Stands where Fastify decorates an instance. Agents (New Relic's) rewrite the function of this name while the file is loaded, to wrap the
// middlewares that `use` is given. Here it only passes the value on.
function decorateFastify(_name, value) {
  return value;
}

exports.decorate = (name, value) => decorateFastify(name, value);
