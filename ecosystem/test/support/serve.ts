/** Puts an application on a socket for one test, and takes it off when the test ends. */
import type { FastifyInstance } from 'fastify';
import { onTestFinished } from 'vitest';

/** Listens on a free port of 127.0.0.1. Returns the origin: `http://127.0.0.1:40001`. */
export async function serve(app: FastifyInstance): Promise<string> {
  onTestFinished(() => app.close());
  return app.listen({ port: 0, host: '127.0.0.1' });
}
