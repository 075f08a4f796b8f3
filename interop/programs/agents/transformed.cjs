'use strict';

// Does what New Relic's agent does with Fastify, and prints what it sees.
const { subscribe, tracingChannel } = require('node:diagnostics_channel');
const { dirname, join } = require('node:path');
const ModulePatch = require('@apm-js-collab/tracing-hooks');

const query = (channelName, filePath, functionQuery) => ({
  channelName,
  module: { name: 'fastify', versionRange: '>=4.0.0', filePath },
  functionQuery: { ...functionQuery, kind: 'Sync' },
});
new ModulePatch({
  instrumentations: [
    query('addHook', 'lib/hooks.js', { expressionName: 'add' }),
    query('decorate', 'lib/decorate.js', { functionName: 'decorateFastify' }),
  ],
}).patch();

const seen = [];
let version;
tracingChannel('orchestrion:fastify:addHook').start.subscribe((call) => {
  const [name, hook] = call.arguments;
  call.arguments[1] = function wrapped(...args) {
    seen.push(`${name} ${hook.name}`);
    return hook.apply(this, args);
  };
});
tracingChannel('orchestrion:fastify:decorate').start.subscribe((call) => {
  const [name, value] = call.arguments;
  call.arguments[1] = (...args) => {
    seen.push(name);
    return value(...args);
  };
});
subscribe('fastify.initialization', () => {
  const frames = new Error().stack.split('\n');
  const publisher = frames[frames.findIndex((frame) => /at Channel\.publish/.test(frame)) + 1];
  version = findVersion(dirname(/\((.+):\d+:\d+\)/.exec(publisher)[1]));
});

/** As the next `package.json` above has it. */
function findVersion(folder) {
  try {
    return require(join(folder, 'package.json')).version;
  } catch {
    return findVersion(dirname(folder));
  }
}

(async () => {
  const app = require('fastify')();
  app.addHook('onRequest', async function first() {});
  app.decorate('use', () => 'used');
  app.register(async (instance) => {
    instance.addHook('preHandler', function second(_request, _reply, done) {
      done();
    });
    instance.get('/', () => instance.use());
  });
  const found = await app.inject('/');
  const missing = await app.inject('/none');
  console.log(JSON.stringify({ version, seen, answers: [found.body, missing.statusCode] }));
})();
