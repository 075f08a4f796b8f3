/** Forms of routes that declare `multipart/form-data`: what handlers get, and that files are always removed. */
import { PassThrough, Readable } from 'node:stream';
import type { AmbitOptions, Context, UploadedFile } from 'ambit';
import { describe, expect, test, vi } from 'vitest';
import { flavors } from '../../test/support/flavors.ts';
import { cutForm, field, file, form, formHeaders, UploadFolder } from '../../test/support/forms.ts';
import { hurry } from '../../test/support/hurry.ts';
import { forbidProcessFaults } from '../../test/support/process-faults.ts';
import { closeAfterTest } from '../../test/support/serve.ts';
import { type Answer, textOf, transportsFor } from '../../test/support/transports.ts';

forbidProcessFaults();

const binary = { type: 'string', format: 'binary' } as const;
const schema = {
  body: {
    content: {
      'multipart/form-data': {
        schema: {
          type: 'object',
          required: ['title'],
          properties: {
            title: { type: 'string' },
            count: { type: 'integer' },
            isPublic: { type: 'boolean' },
            tags: { type: 'array', items: { type: 'integer' } },
            meta: { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } },
            points: { type: 'array', items: { type: 'object', properties: { x: { type: 'number' } } } },
            picture: { ...binary, minLength: 2, maxLength: 1_000_000, contentMediaType: 'image/*' },
            documents: { type: 'array', items: binary },
          },
        },
      },
    },
  },
} as const;

interface Form {
  title: string;
  picture?: UploadedFile;
  documents?: UploadedFile[];
}

/** The fields, with the properties and the content of each file. */
async function show(body: object): Promise<object> {
  const entries = await Promise.all(
    Object.entries(body).map(async ([name, value]) => [name, await showValue(value)]),
  );
  return Object.fromEntries(entries);
}

async function showValue(value: unknown): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map(showValue));
  return value instanceof File ? [value.name, value.type, value.size, await value.text()] : value;
}

const soon = { interval: 2 };
const large = 'x'.repeat(300_000);
const title = field('title', 'A');

describe.each(flavors)('%s', (flavor, make) => {
  describe.each(transportsFor(flavor))('over $name', ({ options: wire, ask }) => {
    const makeApp = (
      options: AmbitOptions = {},
      handler: (body: Form) => unknown = show,
    ): { app: Context; folder: UploadFolder; send: (body: Buffer | Readable) => Promise<Answer> } => {
      const folder = new UploadFolder();
      const { multipart, ...others } = options;
      const app = make({
        ...wire,
        ...others,
        multipart: { folder: folder.path, memorySize: 1000, ...multipart },
      });
      closeAfterTest(app);
      app.post('/', { schema }, (request) => handler(request.body as Form));
      const send = (body: Buffer | Readable): Promise<Answer> =>
        ask(app, { method: 'POST', headers: formHeaders, body });
      return { app, folder, send };
    };

    test('fields are coerced, fields that repeat are arrays, and files are files', async () => {
      const { send, app, folder } = makeApp();
      const answer = await send(
        form(
          title,
          field('count', '7'),
          field('isPublic', 'true'),
          field('tags', '1'),
          field('tags', '2'),
          field('meta', '{"a":"5"}', 'Content-Type: application/json'),
          field('points', '{"x":1}'),
          file('picture', 'cat.png', large, 'image/png'),
          file('documents', 'a.txt', 'small', 'text/plain'),
        ),
      );
      expect([answer.status, JSON.parse(await textOf(answer))]).toEqual([
        200,
        {
          title: 'A',
          count: 7,
          isPublic: true,
          tags: [1, 2],
          meta: { a: 5 },
          points: [{ x: 1 }],
          picture: ['cat.png', 'image/png', large.length, large],
          documents: [['a.txt', 'text/plain', 5, 'small']],
        },
      ]);
      await app.close();
      expect([folder.list(), folder.openFiles()]).toEqual([[], []]);
    });

    test('a file is on disk while its handler runs, and removed when the response has ended', async () => {
      const seen: unknown[] = [];
      const { send, folder } = makeApp({}, ({ picture, documents }) => {
        seen.push(folder.list().length, picture!.size, documents!.length);
        return 'ok';
      });
      const answer = await send(
        form(title, file('picture', 'a.png', large, 'image/png'), file('documents', 'b', large)),
      );
      expect(await textOf(answer)).toBe('ok');
      expect(seen).toEqual([3, large.length, 1]);
      await vi.waitFor(() => expect([folder.list(), folder.openFiles()]).toEqual([[], []]), soon);
    });

    test('a form that does not match its schema is answered 400, and its files are removed', async () => {
      const { send, folder } = makeApp();
      const answer = await send(form(file('picture', 'a.png', large, 'image/png')));
      expect([answer.status, JSON.parse(await textOf(answer)).message]).toEqual([
        400,
        expect.stringMatching(/^body (should|must) have required property 'title'$/),
      ]);
      await vi.waitFor(() => expect([folder.list(), folder.openFiles()]).toEqual([[], []]), soon);
    });

    test('files are removed when the handler fails', async () => {
      const { send, folder } = makeApp({}, () => {
        throw new Error('failed');
      });
      const answer = await send(form(title, file('picture', 'a.png', large, 'image/png')));
      expect(answer.status).toBe(500);
      await textOf(answer);
      await vi.waitFor(() => expect([folder.list(), folder.openFiles()]).toEqual([[], []]), soon);
    });

    test('a file that the handler has not read to its end is closed', async () => {
      const { send, folder } = makeApp({}, async ({ picture }) => {
        await picture!.stream().getReader().read();
        return 'ok';
      });
      expect(await textOf(await send(form(title, file('picture', 'a.png', large, 'image/png'))))).toBe('ok');
      await vi.waitFor(() => expect([folder.list(), folder.openFiles()]).toEqual([[], []]), soon);
    });

    test('the stream of a file can be the response', async () => {
      const { send, folder } = makeApp({}, ({ picture }) => picture!.stream());
      expect(await textOf(await send(form(title, file('picture', 'a.png', large, 'image/png'))))).toBe(large);
      await vi.waitFor(() => expect([folder.list(), folder.openFiles()]).toEqual([[], []]), soon);
    });

    const refused: Record<string, [AmbitOptions['multipart'], Buffer, number, string, string]> = {
      'a file over fileSize': [
        { fileSize: 100_000 },
        form(title, file('picture', 'a', large)),
        413,
        'AMBIT_ERR_FILE_TOO_LARGE',
        "The file in field 'picture' is larger than 100000 bytes",
      ],
      'more files than files': [
        { files: 1 },
        form(title, file('documents', 'a', large), file('documents', 'b', 'b')),
        413,
        'AMBIT_ERR_TOO_MANY_FILES',
        "The body has more than 1 files: the file in field 'documents' is one too many",
      ],
      'a field over fieldSize': [
        { fieldSize: 10 },
        form(file('documents', 'a', large), field('title', 'x'.repeat(11))),
        413,
        'AMBIT_ERR_FIELD_TOO_LARGE',
        "The field 'title' is larger than 10 bytes",
      ],
      'more fields than fields': [
        { fields: 1 },
        form(file('documents', 'a', large), title, field('other', '1')),
        413,
        'AMBIT_ERR_TOO_MANY_FIELDS',
        "The body has more than 1 fields: the field 'other' is one too many",
      ],
      'a body that ends inside a file': [
        {},
        cutForm(title, file('picture', 'a', large)),
        400,
        'AMBIT_ERR_MULTIPART_INVALID',
        'Body is not valid multipart/form-data: it ends before its closing boundary',
      ],
      'a body that is no form': [
        {},
        Buffer.from('{"title":"A"}'),
        400,
        'AMBIT_ERR_MULTIPART_INVALID',
        'Body is not valid multipart/form-data: it ends before its closing boundary',
      ],
      'a body over bodyLimit': [
        {},
        form(title, file('picture', 'a', Buffer.alloc(1_048_576))),
        413,
        'FST_ERR_CTP_BODY_TOO_LARGE',
        'Request body is too large',
      ],
    };
    for (const [what, [multipart, body, status, code, message]] of Object.entries(refused)) {
      for (const [how, toBody] of [
        ['with its length', (bytes: Buffer) => bytes],
        ['without its length', (bytes: Buffer) => Readable.from([bytes])],
      ] as const) {
        test(`${what}, sent ${how}, is answered ${status}, and its files are removed`, async () => {
          // A client that still sends has some time to read the response.
          hurry(10);
          const { send, folder } = makeApp({ multipart: multipart! });
          const answer = await send(toBody(body));
          expect([answer.status, JSON.parse(await textOf(answer))]).toEqual([
            status,
            expect.objectContaining({ statusCode: status, code, message }),
          ]);
          // The files are removed before the reply.
          expect([folder.list(), folder.openFiles()]).toEqual([[], []]);
        });
      }
    }

    test('the files of a client that leaves in the middle of an upload are removed', async () => {
      const { app, folder } = makeApp();
      await app.ready();
      const body = new PassThrough();
      const left = new AbortController();
      const answer = ask(app, { method: 'POST', headers: formHeaders, body, signal: left.signal });
      answer.catch(() => {});
      body.write(cutForm(title, file('picture', 'a', large)));
      await vi.waitFor(() => expect(folder.openFiles()).not.toEqual([]), soon);
      left.abort();
      body.destroy();
      await vi.waitFor(() => expect([folder.list(), folder.openFiles()]).toEqual([[], []]), soon);
    });
  });
});
