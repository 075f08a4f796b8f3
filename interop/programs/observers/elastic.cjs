'use strict';

// Prints the transactions and errors that Elastic's agent would send.
const apm = require('elastic-apm-node').start({
  serviceName: 'notes',
  disableSend: true,
  centralConfig: false,
  cloudProvider: 'none',
  metricsInterval: '0s',
  logLevel: 'off',
});
const { create, declareNotes, requestNotes } = require('./serve.cjs');

const transactions = [];
apm.addTransactionFilter((payload) => {
  const { name, type, result, trace_id: trace, parent_id: parent } = payload;
  transactions.push({ name, type, result, trace, parent });
  return payload;
});
const errors = [];
apm.addErrorFilter((payload) => {
  errors.push([payload.exception.message, payload.trace_id]);
  return payload;
});

/** The agent adds such hooks to Fastify itself, and so to the facade. */
function nameTransactions(app) {
  app.addHook('onRequest', async (request) => {
    apm.setTransactionName(`${request.method} ${request.routeOptions.url ?? 'unknown route'}`);
  });
  app.addHook('onError', async (request, _reply, error) => {
    apm.captureError(error, { request: request.raw });
  });
}

(async () => {
  const { app, served } = create();
  const hooks = { ambit: nameTransactions, fastify: () => {} };
  hooks[process.argv[2]](app);
  declareNotes(app);
  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  const statuses = await requestNotes(origin);
  await app.close();
  await new Promise((resolve) => apm.flush(resolve));
  console.log(JSON.stringify({ statuses, transactions, errors, served: served() }));
})();
