// The application whose cold start is measured: one route, with schemas of the body and of the response.
import { ambit } from 'ambit';
import { routes } from '../apps/fastify-api.mjs';

/** @param {object} [compiled] The schemas of the build; without them, they are compiled at first use. */
export function makeApp(compiled) {
  const app = ambit({ compiled });
  routes.post(app);
  return app;
}
