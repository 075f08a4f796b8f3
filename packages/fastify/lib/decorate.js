'use strict';

// Has the path of the file in which Fastify decorates an instance. Agents, such as New Relic's, rewrite the function with this name when
// the file is loaded, to wrap the middlewares that are passed to `use`. Without an agent, the function only returns the value.
function decorateFastify(_name, value) {
  return value;
}

exports.decorate = (name, value) => decorateFastify(name, value);
