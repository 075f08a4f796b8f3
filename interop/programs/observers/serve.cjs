'use strict';

// An application of one flavor on a socket, what it logs at `info`, and the counters of its HTTP engine: they say who served what. Load
// this file after the observer, because it loads the framework.
const engine = require('@ambit/http-engine');

const engines = [];
const { attach } = engine;
engine.attach = (...args) => {
  const attached = attach(...args);
  engines.push(attached);
  return attached;
};

const flavors = { ambit: () => require('ambit').ambit, fastify: () => require('fastify') };

/** Creates an application of the flavor that the command line names. */
exports.create = (options = {}) => {
  const lines = [];
  const stream = { write: (line) => lines.push(JSON.parse(line)) };
  const app = flavors[process.argv[2]]()({ logger: { level: 'info', stream }, ...options });
  const served = () => ({
    byEngine: engines.reduce((sum, { counters }) => sum + counters.requests, 0),
    reasons: [...new Set(engines.flatMap(({ counters }) => Object.keys(counters.handedOver)))],
    lines: lines.filter(({ msg }) => msg.includes('HTTP engine')).map(({ level, msg }) => ({ level, msg })),
  });
  return { app, served };
};

/** The routes whose requests observers must see. */
exports.declareNotes = (app) => {
  app.get('/notes/:id', async (request) => {
    await new Promise(setImmediate);
    return { id: request.params.id };
  });
  app.post('/notes', (request, reply) => {
    reply.code(201);
    return request.body;
  });
  app.get('/thrown', () => {
    throw new Error('no notes');
  });
};

/** The trace and the span that a client names in its requests. */
const trace = 'a'.repeat(32);
const span = 'b'.repeat(16);

/** Sends a request to each route and one to none, and returns the statuses. The requests belong to the trace of the client. */
exports.requestNotes = async (origin) => {
  const headers = { traceparent: `00-${trace}-${span}-01` };
  const json = { ...headers, 'content-type': 'application/json' };
  const requests = [
    ['/notes/7', { headers }],
    ['/notes', { method: 'POST', headers: json, body: '{"title":"ada"}' }],
    ['/thrown', { headers }],
    ['/none', { headers }],
  ];
  const statuses = [];
  for (const [path, options] of requests) {
    const response = await fetch(origin + path, options);
    await response.text();
    statuses.push(response.status);
  }
  return statuses;
};
