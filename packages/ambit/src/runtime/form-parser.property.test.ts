/** Any form, in chunks of any size, is parsed correctly. A damaged form gets a reply, and its files are removed. */
import { Readable } from 'node:stream';
import { ambit, type Context } from 'ambit';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { content, damagedForm, pieceBytes } from '../../test/support/any-form.ts';
import { field, file, form, formHeaders, UploadFolder } from '../../test/support/forms.ts';
import { forbidProcessFaults } from '../../test/support/process-faults.ts';

forbidProcessFaults();

/** Runs in which each case is a request. */
const requests = Math.min(Number(process.env.FUZZ_INPUTS ?? 300), 20_000);
const timeoutMs = 600_000;

function makeApp(): { app: Context; folder: UploadFolder } {
  const folder = new UploadFolder();
  const app = ambit({ bodyLimit: 20_000, multipart: { folder: folder.path, memorySize: 20, fields: 20 } });
  onTestFinished(() => app.close());
  const items = { type: 'string', format: 'binary' } as const;
  const schema = { type: 'object', properties: { files: { type: 'array', items } } } as const;
  app.post(
    '/',
    { schema: { body: { content: { 'multipart/form-data': { schema } } } } },
    async ({ body }) => {
      const entries = Object.entries(body).map(async ([name, value]) => [name, await show(value)]);
      return Promise.all(entries);
    },
  );
  return { app, folder };
}

async function show(value: unknown): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map(show));
  if (!(value instanceof File)) return value;
  return [value.name, Buffer.from(await value.arrayBuffer()).toString('latin1')];
}

async function send(
  app: Context,
  bytes: Buffer,
  pieceBytes: number,
): Promise<{ status: number; body: unknown }> {
  const pieces: Buffer[] = [];
  for (let from = 0; from < bytes.length; from += pieceBytes)
    pieces.push(bytes.subarray(from, from + pieceBytes));
  const reply = await app.inject({
    method: 'POST',
    url: '/',
    headers: formHeaders,
    payload: Readable.from(pieces, { objectMode: false }),
  });
  return { status: reply.statusCode, body: reply.json() };
}

test(
  `forms in pieces of any size are read as they were written, in ${requests} requests`,
  async () => {
    const { app, folder } = makeApp();
    const forms = fc.array(fc.record({ isFile: fc.boolean(), content }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(forms, pieceBytes, async (values, pieceBytes) => {
        const parts = values.map(({ isFile, content }, i) =>
          isFile ? file('files', `f${i}`, Buffer.from(content)) : field(`t${i}`, Buffer.from(content)),
        );
        const texts = values.flatMap(({ isFile, content }, i) => (isFile ? [] : [[`t${i}`, content]]));
        const files = values.flatMap(({ isFile, content }, i) =>
          isFile ? [[`f${i}`, Buffer.from(content).toString('latin1')]] : [],
        );
        const { status, body } = await send(app, form(...parts), pieceBytes);
        expect(status).toBe(200);
        const expected = [...texts, ...(files.length > 0 ? [['files', files]] : [])];
        expect(Object.fromEntries(body as [string, unknown][])).toEqual(Object.fromEntries(expected));
      }),
      { numRuns: requests },
    );
    await app.close();
    expect([folder.list(), folder.openFiles()]).toEqual([[], []]);
  },
  timeoutMs,
);

test(
  `damaged forms are answered and leave nothing behind, in ${requests} requests`,
  async () => {
    const { app, folder } = makeApp();
    await fc.assert(
      fc.asyncProperty(damagedForm, pieceBytes, async (bytes, pieceBytes) => {
        const { status } = await send(app, bytes, pieceBytes);
        expect([200, 400, 413]).toContain(status);
      }),
      { numRuns: requests },
    );
    await app.close();
    expect([folder.list(), folder.openFiles()]).toEqual([[], []]);
  },
  timeoutMs,
);
