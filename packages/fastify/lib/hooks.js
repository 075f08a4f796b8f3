'use strict';

// Has the path of the file in which Fastify adds hooks. Agents, such as New Relic's, rewrite the function `add` when the file is loaded,
// to wrap the hook that is passed to it. They find it by its assignment to a property. Without an agent, it only returns the hook.
const hooks = {};

hooks.add = function add(_name, hook) {
  return hook;
};

exports.addHook = (name, hook) => hooks.add(name, hook);
