/** `@fastify/multipart`: files and fields are read in the context that registers it, and refused elsewhere. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import multipart from '@fastify/multipart';
import type { FastifyInstance } from 'fastify';
import { describe, expect, test } from 'vitest';
import { type Flavor, flavors } from './support/flavors.ts';
import { serve } from './support/serve.ts';

const limitBytes = 64 * 1024;

const upload = {
  type: 'object',
  required: ['title'],
  properties: { title: { type: 'string', minLength: 3 } },
};

function hash(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** A context that reads parts as streams, one that attaches them to the body, and routes outside both. */
function makeApp(create: Flavor['create']): FastifyInstance {
  const app = create();
  app.register(async (context) => {
    await context.register(multipart, { limits: { fileSize: limitBytes } });
    context.post('/file', async (request) => {
      const part = await request.file();
      const bytes = await part!.toBuffer();
      const { fieldname, filename, mimetype } = part!;
      return { fieldname, filename, mimetype, bytes: bytes.length, hash: hash(bytes) };
    });
    context.post('/parts', async (request) => {
      const seen: string[] = [];
      for await (const part of request.parts()) {
        seen.push(`${part.type} ${part.fieldname}`);
        await ('file' in part ? part.toBuffer() : part.value);
      }
      return seen;
    });
    let savedPath = '';
    context.post('/saved', async (request) => {
      const { files } = await request.saveRequestFiles();
      savedPath = files[0]!.filepath;
      return { content: readFileSync(savedPath, 'utf8') };
    });
    context.get('/saved', () => ({ exists: existsSync(savedPath) }));
  });
  app.register(async (context) => {
    await context.register(multipart, { attachFieldsToBody: 'keyValues' });
    context.post(
      '/attached',
      { schema: { body: { content: { 'multipart/form-data': { schema: upload } } } } },
      (request) => request.body as object,
    );
  });
  app.post('/outside', (request) => typeof request.file);
  app.get('/outside', (request) => typeof request.file);
  return app;
}

function post(url: string, fields: Record<string, string | Blob>): Promise<Response> {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  return fetch(url, { method: 'POST', body });
}

describe.each(flavors)('multipart on $flavor', ({ create }) => {
  test('a file arrives byte for byte, with its name and type', async () => {
    const origin = await serve(makeApp(create));
    const bytes = Buffer.from(Array.from({ length: 40_000 }, (_, i) => (i * 31) % 256));
    const file = new File([bytes], 'noise.bin', { type: 'application/x-noise' });
    expect(await (await post(`${origin}/file`, { upload: file })).json()).toEqual({
      fieldname: 'upload',
      filename: 'noise.bin',
      mimetype: 'application/x-noise',
      bytes: 40_000,
      hash: hash(bytes),
    });
  });

  test.each([
    [limitBytes, 200],
    [limitBytes + 1, 413],
  ])('a file of %i bytes under a limit of 64 KiB answers %i', async (bytes, status) => {
    const origin = await serve(makeApp(create));
    const response = await post(`${origin}/file`, { upload: new Blob(['x'.repeat(bytes)]) });
    expect(response.status).toBe(status);
  });

  test('fields and files come as parts, in order', async () => {
    const origin = await serve(makeApp(create));
    const response = await post(`${origin}/parts`, { first: '1', upload: new Blob(['file']), last: '2' });
    expect(await response.json()).toEqual(['field first', 'file upload', 'field last']);
  });

  test('saved files are removed when the response is done', async () => {
    const origin = await serve(makeApp(create));
    const response = await post(`${origin}/saved`, { upload: new Blob(['on disk']) });
    expect(await response.json()).toEqual({ content: 'on disk' });
    await expect.poll(async () => (await fetch(`${origin}/saved`)).json()).toEqual({ exists: false });
  });

  test('a request that is not multipart is refused by the plugin', async () => {
    const origin = await serve(makeApp(create));
    const response = await fetch(`${origin}/file`, { method: 'POST', body: 'text' });
    expect(response.status).toBe(406);
    expect(await response.json()).toMatchObject({ code: 'FST_INVALID_MULTIPART_CONTENT_TYPE' });
  });

  test('attached fields are the body, and validated as one', async () => {
    const origin = await serve(makeApp(create));
    const good = await post(`${origin}/attached`, { title: 'abc' });
    expect(await good.json()).toEqual({ title: 'abc' });
    const bad = await post(`${origin}/attached`, { title: 'ab' });
    expect(bad.status).toBe(400);
    expect(await bad.json()).toMatchObject({ code: 'FST_ERR_VALIDATION' });
  });

  test('outside the context there is no parser and no decorator', async () => {
    const origin = await serve(makeApp(create));
    expect((await post(`${origin}/outside`, { a: '1' })).status).toBe(415);
    expect(await (await fetch(`${origin}/outside`)).text()).toBe('undefined');
  });
});
