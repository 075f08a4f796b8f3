/** Uploads in an application: its options, its own parsers, other validators, and what handlers do with files. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createGunzip, gzipSync } from 'node:zlib';
import { type AmbitOptions, ambit, type BodyStream, type UploadedFile } from 'ambit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { flavors } from '../../test/support/flavors.ts';
import { field, file, form, formHeaders, UploadFolder } from '../../test/support/forms.ts';
import { forbidProcessFaults } from '../../test/support/process-faults.ts';

forbidProcessFaults();

const binary = { type: 'string', format: 'binary' } as const;
const formOf = (schema: object) => ({ body: { content: { 'multipart/form-data': { schema } } } });
const fileSchema = formOf({ type: 'object', required: ['file'], properties: { file: binary } });
const post = (payload: Buffer, headers: Record<string, string> = formHeaders) =>
  ({ method: 'POST', url: '/', headers, payload }) as const;
const fileOf = (request: { body: unknown }): UploadedFile => (request.body as { file: UploadedFile }).file;
const large = 'x'.repeat(100_000);

describe.each(flavors)('%s', (_flavor, make) => {
  test('a parser of the context reads the forms of its routes, and only of those', async () => {
    const app = make();
    app.register(async (context) => {
      context.addContentTypeParser('multipart/form-data', { parseAs: 'string' }, async () => ({
        file: 'own',
      }));
      context.post('/own', { schema: fileSchema }, (request) => request.body);
    });
    app.register(async (context) => {
      context.addContentTypeParser('*', { parseAs: 'string' }, async () => ({ file: 'any' }));
      context.post('/any', { schema: fileSchema }, (request) => request.body);
    });
    app.post('/', { schema: fileSchema }, (request) => fileOf(request).text());
    const ask = async (url: string) =>
      (await app.inject({ ...post(form(file('file', 'a', 'bytes'))), url })).body;
    expect([await ask('/own'), await ask('/any'), await ask('/')]).toEqual([
      '{"file":"own"}',
      '{"file":"any"}',
      'bytes',
    ]);
  });

  test('a route that does not declare forms has no parser for them', async () => {
    const app = make();
    app.post('/', () => 'ok');
    expect((await app.inject(post(form(field('a', 'b'))))).statusCode).toBe(415);
  });

  const wrong: Record<string, [unknown, string]> = {
    'not an object': [5, 'multipart must be object, instead got number'],
    'a size of 0': [{ fileSize: 0 }, 'multipart.fileSize must be an integer >= 1, instead got 0'],
    'a negative number': [{ files: -1 }, 'multipart.files must be an integer >= 0, instead got -1'],
    'a fraction': [{ fields: 1.5 }, 'multipart.fields must be an integer >= 0, instead got 1.5'],
    'a folder that is no text': [{ folder: 1 }, 'multipart.folder must be string, instead got number'],
  };
  for (const [what, [multipart, message]] of Object.entries(wrong)) {
    test(`the option is checked for the application, and on ambit for a route: ${what}`, () => {
      expect(() => make({ multipart } as AmbitOptions)).toThrow(message);
      const options = { multipart, schema: fileSchema } as object;
      expect(() => ambit().post('/', options, () => 'ok')).toThrow(message);
    });
  }

  test('a misspelled limit is an error, with the nearest name', () => {
    expect(() => make({ multipart: { filesize: 1 } } as AmbitOptions)).toThrow("did you mean 'fileSize'?");
  });

  test('the limits of a route override those of the application', async () => {
    const app = make({ multipart: { fileSize: 1 } });
    app.post('/', { multipart: { fileSize: 10 }, schema: fileSchema }, () => 'ok');
    expect((await app.inject(post(form(file('file', 'a', 'bytes'))))).statusCode).toBe(200);
  });

  const demands: Record<string, [demand: object, message: RegExp]> = {
    'a file one byte over maxLength': [
      { maxLength: 4 },
      /^body\/file (should|must) NOT be larger than 4 bytes$/,
    ],
    'a file one byte under minLength': [
      { minLength: 6 },
      /^body\/file (should|must) NOT be smaller than 6 bytes$/,
    ],
    'a file of a media type that contentMediaType does not have': [
      { contentMediaType: 'image/png, text/*' },
      /^body\/file (should|must) be a file of type image\/png, text\/\*, but is application\/pdf$/,
    ],
  };
  for (const [what, [demand, message]] of Object.entries(demands)) {
    test(`${what} is answered 400 with the field and what it must be`, async () => {
      const app = make();
      const properties = { file: { ...binary, ...demand } };
      app.post('/', { schema: formOf({ type: 'object', properties }) }, () => 'ok');
      const reply = await app.inject(post(form(file('file', 'a', 'bytes', 'application/pdf'))));
      expect([reply.statusCode, reply.json()]).toEqual([
        400,
        {
          statusCode: 400,
          code: 'FST_ERR_VALIDATION',
          error: 'Bad Request',
          message: expect.stringMatching(message),
        },
      ]);
    });
  }

  for (const [what, demand] of [
    ['as long as maxLength', { maxLength: 5 }],
    ['as long as minLength', { minLength: 5 }],
    ['of a media type that contentMediaType lists', { contentMediaType: 'image/png, application/pdf' }],
    ['of a media type in a range of contentMediaType', { contentMediaType: 'image/*, application/*' }],
  ] as const) {
    test(`a file ${what} is accepted`, async () => {
      const app = make();
      const properties = { file: { ...binary, ...demand } };
      app.post('/', { schema: formOf({ type: 'object', properties }) }, (request) => fileOf(request).text());
      expect((await app.inject(post(form(file('file', 'a', 'bytes', 'application/pdf'))))).body).toBe(
        'bytes',
      );
    });
  }

  test('closing the application removes the files of requests that are still handled', async () => {
    const folder = new UploadFolder();
    const app = make({ multipart: { folder: folder.path, memorySize: 0 } });
    const begun = deferred();
    app.post('/', { schema: fileSchema }, (request) => {
      begun.resolve(fileOf(request));
      return new Promise(() => {});
    });
    app.inject(post(form(file('file', 'a', large)))).catch(() => {});
    const held = await begun.promise;
    expect(folder.list()).toHaveLength(2);
    await app.close();
    expect([folder.list(), folder.openFiles()]).toEqual([[], []]);
    await expect(held.text()).rejects.toMatchObject({ code: 'AMBIT_ERR_UPLOAD_REMOVED' });
    await expect(held.saveTo(join(folder.path, 'late'))).rejects.toMatchObject({
      code: 'AMBIT_ERR_UPLOAD_REMOVED',
    });
    expect(() => held.stream()).toThrow('was removed when its response ended');
  });
});

function deferred(): { promise: Promise<UploadedFile>; resolve: (file: UploadedFile) => void } {
  let resolve!: (file: UploadedFile) => void;
  const promise = new Promise<UploadedFile>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

for (const [where, memorySize] of [
  ['in memory', 1_000_000],
  ['on disk', 0],
] as const) {
  describe(`a file ${where}`, () => {
    test('is saved, replaces what is there, and can still be read', async () => {
      const folder = new UploadFolder();
      const target = join(folder.path, 'saved');
      const app = ambit({ multipart: { folder: folder.path, memorySize } });
      app.post('/', { schema: fileSchema }, async (request) => {
        const file = fileOf(request);
        await file.saveTo(target);
        await file.saveTo(`${target}-2`);
        return [file.fieldName, await file.text(), (await file.bytes()).length];
      });
      expect((await app.inject(post(form(file('file', 'a', 'first'))))).statusCode).toBe(200);
      const reply = await app.inject(post(form(file('file', 'a', large))));
      expect(reply.json()).toEqual(['file', large, large.length]);
      expect([readFileSync(target, 'utf8'), readFileSync(`${target}-2`, 'utf8')]).toEqual([large, large]);
      await app.close();
      expect(folder.list().sort()).toEqual(['saved', 'saved-2']);
    });

    test('is a File to other code: as a part of another form, and as a blob', async () => {
      const app = ambit({ multipart: { memorySize } });
      onTestFinished(() => app.close());
      app.post('/', { schema: fileSchema }, async (request) => {
        const forwarded = new FormData();
        forwarded.append('file', fileOf(request));
        const text = await new Response(forwarded).text();
        return [
          text.includes('filename="a.txt"'),
          text.includes('bytes'),
          await new Blob([fileOf(request)]).text(),
        ];
      });
      expect((await app.inject(post(form(file('file', 'a.txt', 'bytes'))))).json()).toEqual([
        true,
        true,
        'bytes',
      ]);
    });
  });
}

test('only the user of the process can read the temporary folder', async () => {
  const folder = new UploadFolder();
  const app = ambit({ multipart: { folder: folder.path, memorySize: 0 } });
  onTestFinished(() => app.close());
  app.post('/', { schema: fileSchema }, () => statSync(join(folder.path, folder.list()[0]!)).mode & 0o777);
  expect((await app.inject(post(form(file('file', 'a', 'bytes'))))).body).toBe(String(0o700));
});

test('a folder that does not exist answers 500 without its path', async () => {
  const app = ambit({ multipart: { folder: '/nowhere/at/all', memorySize: 0 } });
  onTestFinished(() => app.close());
  app.post('/', { schema: fileSchema }, () => 'ok');
  const reply = await app.inject(post(form(file('file', 'a', 'bytes'))));
  expect([reply.statusCode, reply.json<{ message: string }>().message]).toEqual([
    500,
    "The file in field 'file' cannot be stored",
  ]);
});

test('a schema of another library gets files as well', async () => {
  const app = ambit();
  onTestFinished(() => app.close());
  const schema = z.object({ count: z.coerce.number(), file: z.file().max(5), files: z.array(z.file()) });
  app.post('/', { schema: formOf(schema) }, async ({ body }) => {
    const { count, file, files } = body as z.infer<typeof schema>;
    return [count, await file.text(), files.length];
  });
  const parts = [field('count', '1'), file('files', 'b', 'b')];
  expect((await app.inject(post(form(...parts, file('file', 'a', 'bytes'))))).json()).toEqual([
    1,
    'bytes',
    1,
  ]);
  expect((await app.inject(post(form(...parts, file('file', 'a', 'larger'))))).statusCode).toBe(400);
});

test('schemas behind references and in branches may declare files', async () => {
  const app = ambit();
  onTestFinished(() => app.close());
  app.addSchema({
    $id: 'upload',
    type: 'object',
    properties: { file: { $ref: '#/definitions/file' } },
    definitions: { file: binary },
  });
  const schema = { allOf: [{ $ref: 'upload#' }, { type: 'object', required: ['file'] }] };
  app.post('/', { schema: formOf(schema) }, (request) => fileOf(request).text());
  expect((await app.inject(post(form(file('file', 'a', 'bytes'))))).body).toBe('bytes');
  expect((await app.inject(post(form(field('other', 'a'))))).statusCode).toBe(400);
});

test('a form that a hook decompresses is read', async () => {
  const app = ambit();
  onTestFinished(() => app.close());
  app.addHook('preParsing', async (_request, _reply, payload) => {
    const content: BodyStream = payload.pipe(createGunzip());
    payload.on('data', (chunk: Buffer) => {
      content.receivedEncodedLength = (content.receivedEncodedLength ?? 0) + chunk.length;
    });
    return content;
  });
  app.post('/', { schema: fileSchema }, (request) => fileOf(request).text());
  expect((await app.inject(post(gzipSync(form(file('file', 'a', 'bytes')))))).body).toBe('bytes');
});
