/**
 * What `require('fastify')` and `import 'fastify'` give. One file declares both, since a `declare module 'fastify'` in a plugin
 * merges with one module only: with a declaration for each, ES modules and CommonJS would not see each other's augmentations.
 */
import type * as http from 'node:http';
import type * as http2 from 'node:http2';
import type * as https from 'node:https';
import type { FastifyError } from '@fastify/error';
import type {
  InjectOptions,
  CallbackFunc as LightMyRequestCallback,
  Chain as LightMyRequestChain,
  Response as LightMyRequestResponse,
} from 'light-my-request';
import type * as bodies from './types/content-type-parser.cjs';
