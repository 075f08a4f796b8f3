import { fastify } from 'fastify';
import * as compiled from './compiled-fastify.mjs';
import { makeApp } from './make-app.mjs';

export default makeApp(fastify, { compiled });
