// An application of ten routes with schemas, of which the tests weigh the bundle.
export function makeApp(factory, compiled) {
  const app = factory({ compiled });
  const note = { type: 'object', properties: { id: { type: 'integer' }, title: { type: 'string' } } };
  const params = { type: 'object', properties: { id: { type: 'integer' } } };
  const body = {
    type: 'object',
    required: ['title'],
    properties: { title: { type: 'string', minLength: 1 } },
  };
  for (const name of ['notes', 'lists']) {
    app.get(`/${name}`, { schema: { response: { 200: { type: 'array', items: note } } } }, () => [
      { id: 1, title: name },
    ]);
    app.get(`/${name}/:id`, { schema: { params, response: { 200: note } } }, ({ params: { id } }) => ({
      id,
      title: name,
    }));
    app.post(`/${name}`, { schema: { body, response: { 201: note } } }, ({ body: { title } }, reply) =>
      reply.code(201).send({ id: 1, title }),
    );
    app.put(
      `/${name}/:id`,
      { schema: { params, body, response: { 200: note } } },
      ({ params: { id }, body: { title } }) => ({ id, title }),
    );
    app.delete(`/${name}/:id`, { schema: { params } }, (_request, reply) => reply.code(204).send());
  }
  return app;
}
