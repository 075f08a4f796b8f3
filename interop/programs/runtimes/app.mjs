// The application on runtimes that load packages. Its default export is what `bun run` and `deno serve` expect: an object
// with `fetch`.
import { makeApp } from './make-app.mjs';

const { ambit } = await import('ambit');
const { fastify } = await import('fastify');
const [flavor, way] = process.argv.slice(2);
const options = way === 'node-http' ? { engine: 'node' } : {};

export default makeApp(flavor === 'fastify' ? fastify : ambit, options);
