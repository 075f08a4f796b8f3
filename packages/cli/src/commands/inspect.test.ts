import { expect, test } from 'vitest';
import { makeFolder, runCommand } from '../../test/support/command.ts';
import { flavors } from '../../test/support/flavors.ts';
import { Running, sendRequest } from '../../test/support/server.ts';

const routes = "app.decorate('unit', 1).get('/notes', () => []);\nexport default app;\n";

type Named = { readonly name: string; readonly file: string | null };

/** The line of something that the root defines. */
const lineOf = (model: { contexts: { definitions: Named[] }[] }, wanted: string) =>
  model.contexts[0]!.definitions.find(({ name }) => name === wanted)!.file;

for (const [flavor, make] of Object.entries(flavors)) {
  test(`${flavor}: --json prints the model of the application`, async () => {
    const folder = makeFolder({ 'app.js': make + routes });
    const { code, stdout, stderr } = await runCommand(folder, ['inspect', '--json']);
    expect([code, stderr]).toEqual([0, '']);
    const model = JSON.parse(stdout);
    expect(model.contexts).toHaveLength(1);
    expect(model.routes[0]).toMatchObject({ url: '/notes', methods: ['GET'] });
    expect(lineOf(model, 'unit')).toMatch(/app\.js:\d+:\d+$/);
  });

  for (const command of ['inspect', 'dev']) {
    test(`${flavor}: ${command} serves the inspector, and prints its address`, async () => {
      const folder = makeFolder({ 'app.js': make + routes });
      const server = new Running(folder, [command, '--port', '0']);
      const [, address] = await server.until(/inspector:? +(http:\/\/\S+\/__ambit)\n/i);
      expect((await sendRequest(address!)).body).toContain('<title>Ambit inspector</title>');
      const model = JSON.parse((await sendRequest(`${address}/model.json`)).body);
      expect(model.routes.map(({ url }: { url: string }) => url)).toContain('/notes');
      expect(lineOf(model, 'unit')).toMatch(/app\.js:\d+:\d+$/);
      expect(await server.stop('SIGINT')).toBe(0);
    });
  }
}

test('an application that registers the inspector itself is served with its own inspector', async () => {
  const folder = makeFolder({
    'app.js': `${flavors.ambit}import { inspector } from '@ambit/inspector';\napp.register(inspector);\n${routes}`,
  });
  const server = new Running(folder, ['inspect']);
  const [, address] = await server.until(/inspector: (http:\/\/\S+\/__ambit)\n/);
  expect((await sendRequest(address!)).status).toBe(200);
  await server.stop();
});

for (const [what, source, env, message] of [
  [
    'in production',
    routes,
    { NODE_ENV: 'production' },
    'NODE_ENV is production. Unset it: the inspector shows an application in development.',
  ],
  [
    'an application that has booted',
    `await app.ready();\n${routes.replace(/^.*\n/, '')}`,
    {},
    'the application has booted by itself. Remove the call of `ready`.',
  ],
] as const) {
  test(`inspect: ${what} is rejected`, async () => {
    const folder = makeFolder({ 'app.js': flavors.ambit + source });
    const { code, stderr } = await runCommand(folder, ['inspect'], { env });
    expect([code, stderr]).toEqual([1, `ambit: ${message}\n`]);
  });
}
