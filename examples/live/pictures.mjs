// Uploads of pictures: a form with a file, which is validated before the handler runs.

import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Not `image/*`: an SVG may contain scripts. */
const types = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];

const picture = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    caption: { type: 'string' },
    type: { enum: types },
    size: { type: 'integer' },
  },
  required: ['id', 'caption', 'type', 'size'],
};

const newPicture = {
  type: 'object',
  properties: {
    caption: { type: 'string', minLength: 1, maxLength: 100 },
    picture: { type: 'string', format: 'binary', minLength: 1, contentMediaType: types.join(', ') },
  },
  required: ['caption', 'picture'],
  additionalProperties: false,
};

const maxPictures = 100;

export async function pictures(context) {
  const folder = await mkdtemp(join(tmpdir(), 'ambit-live-'));
  context.addHook('onClose', () => rm(folder, { recursive: true, force: true }));
  const picturesById = new Map();
  let lastId = 0;
  const pathOf = (id) => join(folder, String(id));

  context.post(
    '/pictures',
    {
      bodyLimit: 20_000_000,
      multipart: { files: 1, fileSize: 10_000_000 },
      schema: {
        summary: 'Adds a picture',
        body: { content: { 'multipart/form-data': { schema: newPicture } } },
        response: { 201: picture },
      },
    },
    async ({ body }, reply) => {
      const id = ++lastId;
      // The client chooses the name of the file, so it must not be used as a path.
      await body.picture.saveTo(pathOf(id));
      const { type, size } = body.picture;
      const added = { id, caption: body.caption, type, size };
      picturesById.set(id, added);
      if (picturesById.delete(id - maxPictures)) await rm(pathOf(id - maxPictures));
      return reply.code(201).send(added);
    },
  );

  context.get(
    '/pictures/:id',
    {
      schema: {
        summary: 'One picture',
        params: { id: { type: 'integer' } },
        response: {
          200: {
            content: Object.fromEntries(
              types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]),
            ),
          },
        },
      },
    },
    async ({ params }, reply) => {
      const stored = picturesById.get(params.id);
      if (stored === undefined) return reply.callNotFound();
      return reply
        .type(stored.type)
        .header('x-content-type-options', 'nosniff')
        .send(createReadStream(pathOf(params.id)));
    },
  );
}
