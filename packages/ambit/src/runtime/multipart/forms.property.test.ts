/** Any form, in chunks of any size, is parsed correctly. A damaged form gets a reply, and its files are removed. */
import { Readable } from 'node:stream';
import { ambit, type Context } from 'ambit';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import {
  boundary,
  field,
  file,
  form,
  formHeaders,
  type Part,
  UploadFolder,
} from '../../../test/support/forms.ts';
import { forbidProcessFaults } from '../../../test/support/process-faults.ts';
import { FormReader, resolveLimits } from './form-reader.ts';
import { RequestUploads } from './uploads.ts';

interface Failure {
  statusCode: number;
}

forbidProcessFaults();

/** Runs in which each case is a request. */
const requests = Math.min(Number(process.env.FUZZ_INPUTS ?? 300), 20_000);
/** Runs without requests, of which there can be many more. */
const inputs = Number(process.env.FUZZ_INPUTS ?? 10_000);
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

/** Bytes that look like the structure of a form. */
const fragment = fc.oneof(
  fc.constantFrom(
    '\r\n',
    '\r',
    '\n',
    '--',
    `--${boundary}`,
    `\r\n--${boundary}`,
    `\r\n--${boundary}--`,
    '\r\n\r\n',
    '"',
    ';',
    '\0',
  ),
  fc.string({ maxLength: 20 }),
);
const content = fc
  .array(
    fc.oneof(
      fc.string({ maxLength: 60 }),
      fc.constantFrom('\r\n', '\r\n--', '-', '\r', `--${boundary.slice(0, -1)}`),
    ),
    {
      maxLength: 6,
    },
  )
  .map((pieces) => pieces.join(''))
  .filter((text) => !`\r\n${text}`.includes(`\r\n--${boundary}`));
const pieceBytes = fc.integer({ min: 1, max: 400 });

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

const damage = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  removed: fc.nat(40),
  added: fragment,
});
const parts: fc.Arbitrary<Part[]> = fc.array(
  fc.record({
    head: fc.array(
      fc.oneof(
        fragment,
        fc.constant('Content-Disposition: form-data; name="files"; filename="f"'),
        fc.constant('Content-Disposition: form-data; name="t"'),
      ),
    ),
    content,
  }),
  { maxLength: 4 },
);
const damagedForm = fc
  .record({ parts, damages: fc.array(damage, { maxLength: 3 }) })
  .map(({ parts, damages }) => {
    let bytes = form(file('files', 'first', 'more than fits in memory'), ...parts);
    for (const { at, removed, added } of damages) {
      const from = Math.floor(at * bytes.length);
      bytes = Buffer.concat([bytes.subarray(0, from), Buffer.from(added), bytes.subarray(from + removed)]);
    }
    return bytes;
  });

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

test(
  `a form that is damaged is read or refused with a reason, ${inputs} times`,
  async () => {
    const shape = {
      isFile: () => undefined,
      isText: () => false,
      isList: () => false,
      isObject: () => false,
    };
    const rules = { shape, limits: resolveLimits(), readJson: JSON.parse };
    await fc.assert(
      fc.asyncProperty(damagedForm, pieceBytes, async (bytes, pieceBytes) => {
        const error = await new Promise((resolve) => {
          const reader = new FormReader(boundary, rules, new RequestUploads(undefined), resolve);
          for (let from = 0; from < bytes.length; from += pieceBytes)
            reader.write(bytes.subarray(from, from + pieceBytes), () => {});
          reader.end();
        });
        expect([undefined, 400, 413]).toContain((error as Failure | undefined)?.statusCode);
      }),
      { numRuns: inputs },
    );
  },
  timeoutMs,
);
