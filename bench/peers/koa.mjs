// The scenarios in Koa with @koa/router and @koa/bodyparser. They validate with Ajv, because Koa recommends no validator.
import { once } from 'node:events';
import { bodyParser } from '@koa/bodyparser';
import Router from '@koa/router';
import Koa from 'koa';
import { rows } from '../rows.mjs';
import { isOrder, isParams, isQuery } from '../schemas/ajv.mjs';

const stoppable = (/** @type {string} */ name) => async (context, next) => {
  if (context.get('x-stop') === name) context.body = { stopped: name };
  else await next();
};

function rejectInput(context, validate) {
  context.status = 400;
  context.body = { errors: validate.errors };
}

function get(_app, router) {
  router.get('/', (context) => {
    context.body = { hello: 'world' };
  });
}

/** @type {Record<string, (app: Koa, router: Router) => void>} */
const routes = {
  get,
  'params-query'(_app, router) {
    router.get('/users/:id', (context) => {
      // Koa's query is an object without a prototype, so the validator coerces a copy.
      const query = { ...context.query };
      if (!isParams(context.params)) return rejectInput(context, isParams);
      if (!isQuery(query)) return rejectInput(context, isQuery);
      context.body = { id: context.params.id, verbose: query.verbose, limit: query.limit };
    });
  },
  post(app, router) {
    app.use(bodyParser());
    router.post('/orders', (context) => {
      const { body } = context.request;
      if (!isOrder(body)) return rejectInput(context, isOrder);
      context.body = { id: 7, customer: body.customer, items: body.items };
    });
  },
  hooks(app, router) {
    app.use(stoppable('onRequest'));
    app.use(stoppable('preValidation'));
    app.use(stoppable('preHandler'));
    app.use(async (context, next) => {
      await next();
      if (context.get('x-stop') === 'onSend') context.body = { stopped: 'onSend' };
    });
    get(app, router);
  },
  rows(_app, router) {
    router.get('/rows', (context) => {
      context.body = rows;
    });
  },
  'not-found'(app, router) {
    get(app, router);
    app.use(async (context, next) => {
      await next();
      if (context.status !== 404) return;
      context.body = { error: 'nothing here' };
      context.status = 404;
    });
  },
};

/** @param {string} scenario */
export async function start(scenario) {
  const app = new Koa();
  const router = new Router();
  routes[scenario](app, router);
  app.use(router.routes());
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: server.address().port, close: () => server.close() };
}
