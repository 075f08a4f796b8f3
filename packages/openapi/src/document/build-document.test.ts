/** A document belongs to its caller, also where operations have parts in common. */
import { spawnSync } from 'node:child_process';
import { type OpenAPIDocument, openapi, toOpenAPI } from '@ambit/openapi';
import { ambit } from 'ambit';
import { expect, test } from 'vitest';

const ok = (): never => 'ok' as never;

type Operation = {
  operationId: string;
  requestBody: { content: Record<string, { schema: { properties: Record<string, object> } }> };
  responses: Record<string, { description: string }>;
};

const operationOf = ({ paths }: OpenAPIDocument, path: string) =>
  (paths[path] as unknown as { post: Operation }).post;

const propertiesOf = (operation: Operation) =>
  operation.requestBody.content['application/json']!.schema.properties;

/** An application whose routes have equal schemas; each route has objects of its own. */
function appWith(count: number, properties: () => object) {
  const app = ambit({ ajv: { customOptions: { strict: false } } });
  for (let i = 0; i < count; i++)
    app.post(`/${i}`, { schema: { body: { type: 'object', properties: properties() } }, handler: ok });
  return app;
}

test('the caller may change each of many equal operations without changing others', async () => {
  const document = await toOpenAPI(
    appWith(60, () => ({ text: { type: 'string' }, tags: { enum: ['a', 'b'] } })),
  );
  const before = structuredClone(document);
  for (const path of ['/3', '/50']) {
    const operation = operationOf(document, path);
    operation.responses[200]!.description = 'changed';
    (propertiesOf(operation).tags as { enum: string[] }).enum.push('c');
    delete propertiesOf(operation).text;
    delete before.paths[path];
    delete document.paths[path];
  }
  expect(document).toEqual(before);
});

test('each call returns a new and complete document', async () => {
  const app = appWith(40, () => ({ text: { type: 'string' } }));
  const first = await toOpenAPI(app);
  const text = JSON.stringify(first);
  for (const path of Object.keys(first.paths)) delete propertiesOf(operationOf(first, path)).text;
  expect(JSON.stringify(await toOpenAPI(app))).toBe(text);
});

test('names and texts with another meaning in JavaScript are kept as in JSON', async () => {
  const app = appWith(40, () => ({
    ['__proto__']: { type: 'object', properties: { polluted: { const: true } } },
    constructor: { type: 'string' },
    quotes: { description: '"\u2028\u2029\\"`${</script>\ud800', default: -1.5e-9 },
    7: { type: 'null' },
  }));
  app.register(openapi);
  const document = await toOpenAPI(app);
  const { body } = await app.inject('/openapi.json');
  expect(JSON.stringify(document)).toBe(body);
  for (const path of ['/0', '/39']) {
    const properties = propertiesOf(operationOf(document, path));
    expect(Object.getPrototypeOf(properties)).toBe(Object.prototype);
    expect(Object.keys(properties)).toEqual(['7', '__proto__', 'constructor', 'quotes']);
  }
  await app.close();
});

test('a process that forbids code from strings gets the same document', async () => {
  const source = `
    import { toOpenAPI } from '@ambit/openapi';
    import { ambit } from 'ambit';
    const app = ambit();
    app.setValidatorCompiler(() => () => true);
    const body = () => ({ type: 'object', properties: { text: { type: 'string' } } });
    for (let i = 0; i < 40; i++) app.post('/' + i, { schema: { body: body() } }, () => 'ok');
    console.log(JSON.stringify(await toOpenAPI(app)));`;
  const run = (...flags: string[]) => {
    const args = [...flags, '--input-type=module', '--eval', source];
    const { stdout, stderr } = spawnSync(process.execPath, args, {
      encoding: 'utf8',
      cwd: import.meta.dirname,
    });
    expect(stderr).toBe('');
    return stdout;
  };
  const document = await toOpenAPI(appWith(40, () => ({ text: { type: 'string' } })));
  expect(JSON.parse(run('--disallow-code-generation-from-strings'))).toEqual(document);
});
