import { expect, test } from 'vitest';
import { listVersionTests } from './node-matrix.mjs';

const files = listVersionTests();

test.each([
  ['the transports', 'packages/ambit/src/transport/transports.test.ts'],
  ['the HTTP engine', 'packages/http-engine/test/async-contexts.test.ts'],
  ['streams', 'packages/ambit/src/runtime/item-stream.test.ts'],
  ['async contexts of hooks', 'packages/ambit/src/runtime/run-hook.async-context.test.ts'],
  ['loading', 'packages/json-serializer/src/load.test.ts'],
  ['closing', 'packages/fastify/test/closing.process.test.ts'],
  ['commands', 'packages/cli/src/commands/start.test.ts'],
])('the other versions of Node repeat the tests of %s', (_, file) => {
  expect(files).toContain(file);
});

test.each(['packages/ambit/src/shared/media-type.test.ts', 'packages/openapi/src/schema/suite.test.ts'])(
  'they do not repeat %s, which uses nothing of Node',
  (file) => {
    expect(files).not.toContain(file);
  },
);
