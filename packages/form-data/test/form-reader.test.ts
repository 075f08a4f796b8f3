/** Forms as the package alone reads them. What it does inside a server is tested in ambit: `runtime/form-parser.test.ts` and others. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, test, vi } from 'vitest';
import {
  boundary,
  cutForm,
  field,
  file,
  form,
  formHeaders,
  UploadFolder,
} from '../../ambit/test/support/forms.ts';
import { boundaryOf, FileStorage, type FormFile, type FormLimits, FormReader } from '../src/index.ts';
import { pieces } from './support.ts';

const read = (
  bytes: Buffer,
  limits: FormLimits = {},
  storage: FileStorage = new FileStorage(),
  size = 1000,
) => new FormReader(boundary, { limits, storage }).read(pieces(bytes, size));

test('fields and files are read in their order, in pieces of any size', async () => {
  const bytes = form(field('a', '1'), file('f', 'folder/é.txt', 'content', 'Text/Plain'), field('a', '2'));
  for (const size of [1, 7, 1000]) {
    const [first, second, third] = await read(bytes, {}, undefined, size);
    expect([first, third]).toEqual([
      { field: 'a', value: '1' },
      { field: 'a', value: '2' },
    ]);
    const { fieldName, name, type, size: bytesOfFile } = second!.value as FormFile;
    expect([second!.field, fieldName, name, type, bytesOfFile]).toEqual(['f', 'f', 'é.txt', 'text/plain', 7]);
    expect(await (second!.value as FormFile).text()).toBe('content');
  }
});

describe('a limit is reached', () => {
  const reached: Record<string, [FormLimits, Buffer]> = {
    fileSize: [{ fileSize: 5 }, form(file('f', 'a', '12345'))],
    files: [{ files: 1 }, form(file('f', 'a', '1'))],
    fieldSize: [{ fieldSize: 5 }, form(field('f', '12345'))],
    fields: [{ fields: 1 }, form(field('f', '1'))],
    fieldNameSize: [{ fieldNameSize: 2 }, form(field('é', '1'))],
    headerSize: [{ headerSize: 42 }, form(field('f', '1'))],
  };
  for (const [name, [limits, bytes]] of Object.entries(reached)) {
    test(`${name}: the form is read`, async () => {
      expect(await read(bytes, limits)).toHaveLength(1);
    });
  }
});

describe('one past a limit', () => {
  const exceeded: Record<string, [FormLimits, Buffer, field: string, limit: number]> = {
    FILE_TOO_LARGE: [{ fileSize: 5 }, form(file('f', 'a', '123456')), 'f', 5],
    TOO_MANY_FILES: [{ files: 1 }, form(file('f', 'a', '1'), file('g', 'a', '1')), 'g', 1],
    FIELD_TOO_LARGE: [{ fieldSize: 5 }, form(field('f', '123456')), 'f', 5],
    TOO_MANY_FIELDS: [{ fields: 1 }, form(field('f', '1'), field('g', '1')), 'g', 1],
    FIELD_NAME_TOO_LONG: [{ fieldNameSize: 2 }, form(field('abc', '1')), 'ab', 2],
    PART_HEAD_TOO_LARGE: [{ headerSize: 41 }, form(field('f', '1')), 'f', 41],
  };
  for (const [code, [limits, bytes, field, limit]] of Object.entries(exceeded)) {
    test(`the form is refused with ${code}`, async () => {
      await expect(read(bytes, limits)).rejects.toMatchObject({ name: 'FormError', code, field, limit });
    });
  }
});

describe('a form is refused', () => {
  const invalid: Record<string, [Buffer, RegExp]> = {
    'that ends before its closing boundary': [cutForm(field('a', '12345')), /ends before/],
    'with a part without a name': [
      form({ head: 'Content-Disposition: form-data', content: 'a' }),
      /a part has no name/,
    ],
    'with a part of another kind': [
      form({ head: 'Content-Disposition: attachment; name=a', content: 'a' }),
      /not form-data/,
    ],
    'with text that is not in its charset': [form(field('a', Buffer.from([0xff]))), /not text in utf-8/],
  };
  for (const [what, [bytes, message]] of Object.entries(invalid)) {
    test(what, async () => {
      await expect(read(bytes)).rejects.toMatchObject({
        code: 'FORM_INVALID',
        message: expect.stringMatching(message),
      });
    });
  }

  test('whose source is closed too early', async () => {
    const source = new PassThrough();
    const reading = new FormReader(boundary, { storage: new FileStorage() }).read(source);
    source.write(cutForm(field('a', '1')));
    source.destroy();
    await expect(reading).rejects.toMatchObject({ code: 'FORM_INCOMPLETE' });
  });

  test('whose source fails, with its error', async () => {
    const source = new PassThrough();
    const reading = new FormReader(boundary, { storage: new FileStorage() }).read(source);
    source.destroy(new Error('broken'));
    await expect(reading).rejects.toThrow('broken');
  });

  test('by its caller, and the rest of its source is dropped', async () => {
    const source = new PassThrough();
    const reader = new FormReader(boundary, { storage: new FileStorage() });
    const reading = reader.read(source);
    source.write(form(field('a', '1')));
    reader.fail(new Error('no more'));
    await expect(reading).rejects.toThrow('no more');
    source.end('rest');
    await vi.waitFor(() => expect(source.readableEnded).toBe(true));
  });

  for (const wrong of [undefined, '', 'x'.repeat(71)]) {
    test(`if its boundary is ${String(wrong).slice(0, 10)}`, () => {
      expect(() => new FormReader(wrong, { storage: new FileStorage() })).toThrow('a boundary of 1 to 70');
    });
  }
});

test('the caller decides what is a file, and converts the text of fields', async () => {
  const reader = new FormReader(boundary, {
    storage: new FileStorage(),
    isFile: ({ field }) => field === 'f',
    readField: (text, { isJson }) => (isJson ? JSON.parse(text) : text),
  });
  const bytes = form(field('f', 'x'), file('json', 'a.json', '{"a":1}', 'application/json'), field('t', '1'));
  const [first, ...others] = await reader.read(pieces(bytes, 1000));
  expect(first!.value).toBeInstanceOf(File);
  expect(others).toEqual([
    { field: 'json', value: { a: 1 } },
    { field: 't', value: '1' },
  ]);
});

test('files that do not fit in memory are on disk until their storage is removed, or saved', async () => {
  const folder = new UploadFolder();
  const storage = new FileStorage({ folder: folder.path, memorySize: 10 });
  const [small, large] = await read(form(file('a', 'a', 'small'), file('b', 'b', 'too large')), {}, storage);
  expect(folder.list()).toHaveLength(2);
  expect([await (small!.value as File).text(), await (large!.value as File).text()]).toEqual([
    'small',
    'too large',
  ]);
  await (large!.value as FormFile).saveTo(join(folder.path, 'saved'));
  await storage.remove();
  expect([folder.list(), folder.openFiles()]).toEqual([['saved'], []]);
  expect(readFileSync(join(folder.path, 'saved'), 'utf8')).toBe('too large');
  await expect((small!.value as File).text()).rejects.toMatchObject({ code: 'FILE_REMOVED' });
});

test('a file that cannot be stored refuses the form', async () => {
  const storage = new FileStorage({ folder: '/nowhere/at/all', memorySize: 0 });
  await expect(read(form(file('f', 'a', 'content')), {}, storage)).rejects.toMatchObject({
    code: 'FILE_NOT_STORED',
    field: 'f',
    cause: expect.objectContaining({ code: 'ENOENT' }),
  });
});

test('the boundary of a Content-Type, also one without the quotes that it needs', () => {
  expect(boundaryOf(formHeaders['content-type'])).toBe(boundary);
  expect(boundaryOf('Multipart/Form-Data; charset=utf-8; Boundary="a b"')).toBe('a b');
  expect(boundaryOf('multipart/form-data; boundary=a/b=c')).toBe('a/b=c');
  expect(boundaryOf('multipart/form-data')).toBeUndefined();
  expect(boundaryOf('text/plain; boundary=a')).toBeUndefined();
  expect(boundaryOf(undefined)).toBeUndefined();
});
