/** What applications write in the format of OpenAPI is checked, because a wrong part would make the whole document invalid. */
import { type DocumentOptions, describeRoutes, openapi, type RouteDetails, toOpenAPI } from '@ambit/openapi';
import { ambit } from 'ambit';
import { expect, test } from 'vitest';

const ok = (): never => 'ok' as never;

for (const [options, message] of [
  [
    { servers: ['https://a.example'] },
    "servers[0] must be an object with a url, instead got 'https://a.example'",
  ],
  [{ tags: [{ name: 'notes' }, 'users'] }, "tags[1] must be an object with a name, instead got 'users'"],
  [
    { security: [{ token: 'read' }] },
    'security[0] must be an object with a list of scopes for each security scheme, instead got object',
  ],
  [
    { components: { securitySchemes: { token: { type: 'bearer' } } } },
    "components: securitySchemes.token.type must be one of apiKey, http, mutualTLS, oauth2, openIdConnect, instead got 'bearer'",
  ],
  [null, 'the options must be an object, instead got null'],
] as const) {
  test(`of a document: ${message}`, async () => {
    await expect(toOpenAPI(ambit(), options as unknown as DocumentOptions)).rejects.toMatchObject({
      code: 'AMBIT_ERR_OPENAPI_OPTION',
      message: `toOpenAPI: ${message}`,
    });
  });
}

for (const [details, message] of [
  [{ tags: ['notes', 5] }, 'tags[1] must be a string or an object with a name, instead got number'],
  [{ guards: { token: null } }, 'guards.token must be a security scheme, instead got null'],
  [
    { securitySchemes: { token: {} } },
    'securitySchemes.token.type must be one of apiKey, http, mutualTLS, oauth2, openIdConnect, instead got undefined',
  ],
] as const) {
  test(`of a context: ${message}`, () => {
    expect(() => describeRoutes(ambit(), details as unknown as RouteDetails)).toThrow(
      `describeRoutes: ${message}`,
    );
  });
}

for (const [schema, message] of [
  [{ tags: 'notes' }, "tags must be a list, instead got 'notes'"],
  [{ tags: [{ name: 'notes' }] }, 'tags[0] must be a string, instead got object'],
  [{ security: { token: [] } }, 'security must be a list, instead got object'],
  [
    { security: ['token'] },
    "security[0] must be an object with a list of scopes for each security scheme, instead got 'token'",
  ],
  [{ servers: [{}] }, 'servers[0] must be an object with a url, instead got object'],
] as const) {
  test(`of a route: ${message}`, async () => {
    const app = ambit();
    app.register(openapi);
    app.get('/x', { schema: schema as never, handler: ok });
    await expect(app.ready()).rejects.toMatchObject({
      code: 'AMBIT_ERR_OPENAPI_SCHEMA',
      message: `GET /x: ${message}`,
      where: { route: 'GET /x' },
    });
  });
}

test('a `transform` that does not return a document fails boot', async () => {
  const app = ambit();
  app.register(openapi, { transform: (() => undefined) as never });
  await expect(app.ready()).rejects.toMatchObject({
    code: 'AMBIT_ERR_OPENAPI_OPTION',
    message: 'transform must return the document, instead got undefined',
  });
});

test('a security scheme may be a reference to a component, and a requirement may be empty', async () => {
  const app = ambit();
  app.get('/x', { schema: { security: [{ token: [] }, {}] }, handler: ok });
  const securitySchemes = { token: { $ref: 'https://example.com/schemes#/token' } as never };
  const { paths } = await toOpenAPI(app, { components: { securitySchemes } });
  expect(paths['/x']).toMatchObject({ get: { security: [{ token: [] }, {}] } });
});
