// The application on runtimes that load packages. Its default export is what `bun run` and `deno serve` expect: an object
// with `fetch`.
import { makeApp } from './make-app.mjs';

const { ambit } = await import('ambit');
const { fastify } = await import('fastify');
const [flavor] = process.argv.slice(2);

export default makeApp(flavor === 'fastify' ? fastify : ambit);
