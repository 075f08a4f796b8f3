// The Dockerfile of the template service, without Docker: a linter reads it, and its steps run in order in an empty folder.
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { validate } from 'dockerfile-utils';
import { expect, onTestFinished, test } from 'vitest';
import { run } from '../test/support/run.mjs';
import { startServer } from '../test/support/start-server.mjs';
import { create, makeFolder } from './support/application.mjs';
import { buildImage } from './support/image.mjs';

test('the linter has no findings, and the container is built, healthy, and stops in order', async () => {
  const { folder, remove } = makeFolder();
  onTestFinished(remove);
  await create(folder, '24', 'notes', '--template', 'service', '--install');
  const context = join(folder, 'notes');
  expect(validate(readFileSync(join(context, 'Dockerfile'), 'utf8'))).toEqual([]);

  const image = await buildImage(context);
  onTestFinished(() => rm(image.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }));
  const env = { ...image.env, HOST: 'localhost', PORT: '0' };
  const container = await startServer(image.workFolder, image.command, env);
  expect((await fetch(`${container.origin}/docs`)).status).toBe(200);
  const { port } = new URL(container.origin);
  await run(image.workFolder, 'sh', ['-c', image.healthCheck], { ...env, PORT: port });
  expect(await container.stop('SIGTERM')).toEqual({ status: 0, complaints: '' });
});
