/** Random forms, whole and damaged, in pieces of any size: Ambit reads what the reader of undici reads, and leaves no file behind. */
import { Readable } from 'node:stream';
import { ambit, type Context } from 'ambit';
import fc from 'fast-check';
import { Response } from 'undici';
import { expect, test } from 'vitest';
import { boundary, field, file, form, formHeaders, UploadFolder } from '../support/forms.ts';
import { fuzz, fuzzTimeoutMs } from '../support/fuzz.ts';

/** Returns what it has read as a list of names and contents. */
function makeApp(folder: string): Context {
  const app = ambit({ multipart: { folder, memorySize: 16 } });
  const items = { type: 'string', format: 'binary' } as const;
  const schema = { type: 'object', properties: { files: { type: 'array', items } } } as const;
  app.post(
    '/',
    { schema: { body: { content: { 'multipart/form-data': { schema } } } } },
    async ({ body: { files = [], ...fields } }) => [
      ...Object.entries(fields).map(([name, value]) => [name, [value].flat()]),
      ...(await Promise.all(files.map(async (each) => [each.name, await each.text()]))),
    ],
  );
  return app;
}

/** What undici reads; undefined if it refuses the form. */
async function readByUndici(bytes: Buffer): Promise<unknown[] | undefined> {
  try {
    const data = await new Response(bytes, { headers: formHeaders }).formData();
    const names = [...new Set(data.keys())];
    const fields = names.filter((name) => name !== 'files').map((name) => [name, data.getAll(name)]);
    const files = data.getAll('files') as unknown as File[];
    return [...fields, ...(await Promise.all(files.map(async (each) => [each.name, await each.text()])))];
  } catch {
    return undefined;
  }
}

const content = fc
  .array(
    fc.oneof(fc.string({ maxLength: 30 }), fc.constantFrom('\r\n', '\r\n--', '-', '\r', '\0', '=', '"')),
    {
      maxLength: 5,
    },
  )
  .map((pieces) => pieces.join(''))
  .filter((text) => !`\r\n${text}`.includes(`\r\n--${boundary}`));
const damage: fc.Arbitrary<Damage> = fc.record({
  place: fc.nat(),
  removed: fc.nat(20),
  added: fc.constantFrom(
    '',
    '\r\n',
    '--',
    `--${boundary}`,
    `\r\n--${boundary}--`,
    '"',
    ';',
    '\0',
    '\r\n\r\n',
    'x',
  ),
});
const inputs: fc.Arbitrary<Input> = fc.record({
  parts: fc.array(fc.record({ isFile: fc.boolean(), content }), { maxLength: 5 }),
  damages: fc.oneof(
    { arbitrary: fc.constant<readonly Damage[]>([]), weight: 2 },
    fc.array(damage, { maxLength: 2 }),
  ),
  pieceBytes: fc.integer({ min: 1, max: 300 }),
});

interface Damage {
  place: number;
  removed: number;
  added: string;
}

interface Input {
  parts: { isFile: boolean; content: string }[];
  damages: readonly Damage[];
  pieceBytes: number;
}

function writeForm({ parts, damages }: Input): Buffer {
  let bytes = form(
    ...parts.map(({ isFile, content }, i) =>
      isFile ? file('files', `f${i}`, Buffer.from(content)) : field(`t${i}`, Buffer.from(content)),
    ),
  );
  for (const { place, removed, added } of damages) {
    const at = place % (bytes.length + 1);
    bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from(added), bytes.subarray(at + removed)]);
  }
  return bytes;
}

test('a form is read as undici reads it, or refused, and its files are removed', {
  timeout: fuzzTimeoutMs,
}, async () => {
  const folder = new UploadFolder();
  const app = makeApp(folder.path);
  const check = async (input: Input): Promise<void> => {
    const bytes = writeForm(input);
    const pieces: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += input.pieceBytes)
      pieces.push(bytes.subarray(at, at + input.pieceBytes));
    const payload = Readable.from(pieces, { objectMode: false });
    const reply = await app.inject({ method: 'POST', url: '/', headers: formHeaders, payload });
    const expected = await readByUndici(bytes);
    expect([200, 400, 413]).toContain(reply.statusCode);
    // What is not damaged is read by both.
    if (input.damages.length === 0) expect([reply.statusCode, reply.json()]).toEqual([200, expected]);
  };
  await fuzz('forms', {
    inputs,
    listLength: 20,
    runs: 6,
    // At the same time: most of the time of one is spent waiting for files.
    check: async (list) => void (await Promise.all(list.map(check))),
  });
  await app.close();
  expect([folder.list(), folder.openFiles()]).toEqual([[], []]);
});
