/** Forms that are malformed or malicious: each gets an error reply with the reason, and its files are removed. */
import { Readable } from 'node:stream';
import { ambit, type Context } from 'ambit';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  boundary,
  field,
  file,
  form,
  formHeaders,
  type Part,
  UploadFolder,
} from '../../test/support/forms.ts';
import { forbidProcessFaults } from '../../test/support/process-faults.ts';

forbidProcessFaults();

const binary = { type: 'string', format: 'binary' } as const;

function makeApp(options: Parameters<typeof ambit>[0] = {}): { app: Context; folder: UploadFolder } {
  const folder = new UploadFolder();
  const app = ambit({ ...options, multipart: { folder: folder.path, memorySize: 0, ...options.multipart } });
  onTestFinished(() => app.close());
  const properties = {
    text: { type: 'string' },
    list: { type: 'array', items: { type: 'string' } },
    file: binary,
  };
  const schema = { type: 'object', properties };
  app.post('/', { schema: { body: { content: { 'multipart/form-data': { schema } } } } }, ({ body }) => {
    const fields = Object.entries(body as object);
    return {
      fields: fields.map(([name, value]) => [name, value instanceof File ? `file ${value.name}` : value]),
      isPlain: Object.getPrototypeOf(body) === Object.prototype,
    };
  });
  return { app, folder };
}

/** The body of a reply: the fields that the handler got, or an error. */
interface Body {
  message: string;
  fields: [name: string, value: unknown][];
  isPlain: boolean;
}

async function send(app: Context, body: Buffer | string, headers: Record<string, string> = formHeaders) {
  return app.inject({ method: 'POST', url: '/', headers, payload: body as string });
}

describe('forms that are accepted', () => {
  const accepted: Record<string, [Part, [string, unknown]]> = {
    'a file name with folders': [file('file', '../../etc/passwd', 'a'), ['file', 'file passwd']],
    'a file name with folders of Windows': [file('file', 'C:\\temp\\a.txt', 'a'), ['file', 'file a.txt']],
    'a file name that is a folder': [file('file', '..', 'a'), ['file', 'file ']],
    'a file name with quotes': [file('file', 'a\\"b%22.txt', 'a'), ['file', 'file a"b".txt']],
    'a file name in UTF-8': [file('file', 'naïve.txt', 'a'), ['file', 'file naïve.txt']],
    'a file without a name': [field('file', 'a', 'Content-Type: image/png'), ['file', 'file ']],
    'a name in UTF-8': [field('größe', '1'), ['größe', '1']],
    'a name without quotes': [
      { head: 'Content-Disposition: form-data; name=text', content: 'a' },
      ['text', 'a'],
    ],
    'header names in any case': [
      { head: 'CONTENT-disposition: Form-Data; NAME="text"', content: 'a' },
      ['text', 'a'],
    ],
    'a field in another charset': [
      field('text', Buffer.from([0xe9]), 'Content-Type: text/plain; charset=iso-8859-1'),
      ['text', 'é'],
    ],
    'a field named like a method of objects': [field('toString', 'a'), ['toString', 'a']],
    'a field named constructor': [field('constructor', 'a'), ['constructor', 'a']],
    'an empty field': [field('text', ''), ['text', '']],
    'a field that contains most of the boundary': [
      field('text', `\r\n--${boundary.slice(1)}`),
      ['text', `\r\n--${boundary.slice(1)}`],
    ],
    'a form inside a form': [
      {
        head: ['Content-Disposition: form-data; name="text"', 'Content-Type: multipart/mixed; boundary=b'],
        content: '--b\r\n\r\n--b--',
      },
      ['text', '--b\r\n\r\n--b--'],
    ],
  };
  for (const [what, [part, expected]] of Object.entries(accepted)) {
    test(what, async () => {
      const { app } = makeApp();
      const reply = await send(app, form(part));
      expect([reply.statusCode, reply.json<Body>()]).toEqual([200, { fields: [expected], isPlain: true }]);
    });
  }

  test('a form without parts', async () => {
    expect((await send(makeApp().app, form())).json<Body>().fields).toEqual([]);
  });

  for (const unquoted of ['a/b', 'a=b', 'Boundary/1=2?3:4@(5)', "0'()+_,-./:=?z", 'a.b_c-d']) {
    test(`the boundary ${unquoted}, without quotes and in them`, async () => {
      const body = String(form(field('text', 'a'), file('file', 'a.png', 'b'))).replaceAll(
        boundary,
        unquoted,
      );
      for (const parameter of [
        `boundary=${unquoted}`,
        `Boundary=${unquoted}; charset=utf-8`,
        `boundary="${unquoted}"`,
      ]) {
        const reply = await send(makeApp().app, body, {
          'content-type': `multipart/form-data; ${parameter}`,
        });
        expect(reply.json<Body>().fields).toEqual([
          ['text', 'a'],
          ['file', 'file a.png'],
        ]);
      }
    });
  }

  for (const blanks of [' ', '\t', ' \t  ']) {
    test(`${JSON.stringify(blanks)} behind each delimiter`, async () => {
      const body = String(form(field('text', 'a'), file('file', 'a.png', 'b'))).replace(
        new RegExp(`(--${boundary}(?:--)?)\\r\\n`, 'g'),
        `$1${blanks}\r\n`,
      );
      for (const pieceBytes of [1, 7, 1000]) {
        const pieces = body
          .match(new RegExp(`[^]{1,${pieceBytes}}`, 'g'))!
          .map((piece) => Buffer.from(piece));
        const reply = await send(makeApp().app, Readable.from(pieces) as never);
        expect(reply.json<Body>().fields).toEqual([
          ['text', 'a'],
          ['file', 'file a.png'],
        ]);
      }
    });
  }

  for (const [parameters, name] of [
    ["filename*=UTF-8''caf%C3%A9.pdf", 'café.pdf'],
    ['filename="cafe.pdf"; filename*=UTF-8\'\'caf%C3%A9.pdf', 'café.pdf'],
    ['filename*=utf-8\'en\'caf%c3%a9.pdf; filename="cafe.pdf"', 'café.pdf'],
    ["filename*=iso-8859-1''caf%E9.pdf", 'café.pdf'],
    ['filename*="UTF-8\'\'a%20b.pdf"', 'a b.pdf'],
    ["filename*=UTF-8''..%2F..%2Fetc%2Fpasswd", 'passwd'],
    ["filename*=UTF-8''C%3A%5Cdocs%5Ca.pdf", 'a.pdf'],
    ["filename*=UTF-8''%2E%2E", ''],
    ['filename*=UTF-8\'\'%FF; filename="a.pdf"', 'a.pdf'],
    ['filename*=utf-16\'\'a; filename="a.pdf"', 'a.pdf'],
    ['filename*=a.pdf; filename="b.pdf"', 'b.pdf'],
    ["filename*=UTF-8''100%25.pdf", '100%.pdf'],
  ] as const) {
    test(`a file with ${parameters} is called ${name}`, async () => {
      const head = `Content-Disposition: form-data; name="file"; ${parameters}`;
      expect((await send(makeApp().app, form({ head, content: 'a' }))).json<Body>().fields).toEqual([
        ['file', `file ${name}`],
      ]);
    });
  }

  test('text before the first boundary and after the last is ignored', async () => {
    const body = `before\r\n${form(field('text', 'a'))}after`;
    expect((await send(makeApp().app, body)).json<Body>().fields).toEqual([['text', 'a']]);
  });

  test('a file input without a file is a field that is missing', async () => {
    expect((await send(makeApp().app, form(file('file', '', '')))).json<Body>().fields).toEqual([]);
  });

  test('a file in a field that the schema does not declare', async () => {
    const reply = await send(makeApp().app, form(file('other', 'a.txt', 'a')));
    expect(reply.json<Body>().fields).toEqual([['other', 'file a.txt']]);
  });

  for (const count of [1, 2]) {
    test(`an array of ${count}`, async () => {
      const parts = Array.from({ length: count }, (_, i) => field('list', String(i)));
      const [entry] = (await send(makeApp().app, form(...parts))).json<Body>().fields;
      expect(entry![1]).toHaveLength(count);
    });
  }
});

describe('input that is rejected', () => {
  const long = 'x'.repeat(101);
  const noise = Array.from({ length: 400 }, (_, i) => `X-Noise-${i}: ${'y'.repeat(100)}`);
  const invalid = 'Body is not valid multipart/form-data: ';
  const poisonous =
    "must not contain the key '__proto__', nor 'constructor' with 'prototype' in it: they can change the prototype of objects";
  const refused: Record<string, [Part[], number, string]> = {
    'a part without Content-Disposition': [
      [{ head: 'Content-Type: text/plain', content: 'a' }],
      400,
      `${invalid}a part has no Content-Disposition, or several`,
    ],
    'a part with two Content-Dispositions': [
      [field('text', 'a', 'Content-Disposition: form-data; name="file"')],
      400,
      `${invalid}a part has no Content-Disposition, or several`,
    ],
    'text in a field that is a file': [
      [field('file', 'a')],
      400,
      `${invalid}the field 'file' must be a file`,
    ],
    'no text in a field that is a file': [
      [field('file', '')],
      400,
      `${invalid}the field 'file' must be a file`,
    ],
    'text with its media type in a field that is a file': [
      [field('file', 'a', 'Content-Type: text/plain; charset=utf-8')],
      400,
      `${invalid}the field 'file' must be a file`,
    ],
    'a part without a head': [
      [{ head: '', content: 'a' }],
      400,
      `${invalid}a part has no Content-Disposition, or several`,
    ],
    'a part that is an attachment': [
      [{ head: 'Content-Disposition: attachment; name="text"', content: 'a' }],
      400,
      `${invalid}the Content-Disposition of a part is not form-data`,
    ],
    'a part without a name': [
      [{ head: 'Content-Disposition: form-data; filename="a"', content: 'a' }],
      400,
      `${invalid}a part has no name`,
    ],
    'a part with two names': [
      [{ head: 'Content-Disposition: form-data; name="text"; name="file"', content: 'a' }],
      400,
      `${invalid}a part has the parameter name twice`,
    ],
    'a file name with NUL': [
      [file('file', 'a\0.png', 'a')],
      400,
      `${invalid}a Content-Disposition contains NUL`,
    ],
    'an encoded file name with NUL': [
      [{ head: `Content-Disposition: form-data; name="file"; filename*=UTF-8''a%00.png`, content: 'a' }],
      400,
      `${invalid}a file name contains NUL`,
    ],
    'a part with an invalid media type': [
      [field('text', 'a', 'Content-Type: nonsense')],
      400,
      `${invalid}the Content-Type of field 'text' is not a media type`,
    ],
    'an unknown charset': [
      [field('text', 'a', 'Content-Type: text/plain; charset=nonsense')],
      400,
      `${invalid}the field 'text' is not text in nonsense`,
    ],
    'bytes that are not UTF-8': [
      [field('text', Buffer.from([0xff, 0xfe]))],
      400,
      `${invalid}the field 'text' is not text in utf-8`,
    ],
    'a part that is not JSON as it says': [
      [field('text', '{', 'Content-Type: application/json')],
      400,
      `${invalid}the field 'text' is not valid JSON`,
    ],
    'JSON that could reach a prototype': [
      [field('text', '{"__proto__":{}}', 'Content-Type: application/json')],
      400,
      `${invalid}the field 'text' ${poisonous}`,
    ],
    'JSON that could reach a prototype through constructor, nested': [
      [field('text', '[{"constructor":{"prototype":{}}}]', 'Content-Type: application/json')],
      400,
      `${invalid}the field 'text' ${poisonous}`,
    ],
    'text that is not JSON and has such a key': [
      [field('text', '{"__proto__":', 'Content-Type: application/json')],
      400,
      `${invalid}the field 'text' is not valid JSON`,
    ],
    'a field named __proto__': [
      [field('__proto__', 'a')],
      400,
      `${invalid}the field '__proto__' is not allowed`,
    ],
    'a file named __proto__': [
      [file('__proto__', 'a', 'a')],
      400,
      `${invalid}the field '__proto__' is not allowed`,
    ],
    'a field named constructor with a prototype': [
      [field('constructor', '{"prototype":{}}', 'Content-Type: application/json')],
      400,
      `${invalid}the field 'constructor' is not allowed`,
    ],
    'a file in a field that is text': [
      [file('text', 'a.txt', 'a')],
      400,
      `${invalid}the field 'text' must not be a file`,
    ],
    'a field of one value that comes twice': [
      [field('text', 'a'), field('text', 'b')],
      400,
      'body/text should be string',
    ],
    'a file of one value that comes twice': [
      [file('file', 'a', 'a'), file('file', 'b', 'b')],
      400,
      'body/file should be a file',
    ],
    'a name that is too long': [
      [field(long, 'a')],
      413,
      `The name of the field '${long.slice(1)}…' is longer than 100 bytes`,
    ],
    'a head that is too large': [
      [field('text', 'a', `X-Noise: ${'y'.repeat(20_000)}`)],
      413,
      "The head of the part for field 'text' is larger than 16384 bytes",
    ],
    'a head of many fields': [
      [field('text', 'a', ...noise)],
      413,
      "The head of the part for field 'text' is larger than 16384 bytes",
    ],
    'a hundred thousand fields': [
      Array.from({ length: 100_000 }, (_, i) => field(`f${i}`, '')),
      413,
      "The body has more than 1000 fields: the field 'f1000' is one too many",
    ],
  };
  for (const [what, [parts, status, message]] of Object.entries(refused)) {
    test(what, async () => {
      const { app, folder } = makeApp({ bodyLimit: 10_000_000 });
      const reply = await send(app, form(file('file', 'first', 'on disk'), ...parts));
      expect([reply.statusCode, reply.json<Body>().message]).toEqual([status, message]);
      await app.close();
      expect([folder.list(), folder.openFiles()]).toEqual([[], []]);
    });
  }

  test('a head without an end is rejected as soon as it is too large', async () => {
    const { app, folder } = makeApp({ bodyLimit: 10_000_000 });
    const start = `--${boundary}\r\nContent-Disposition: form-data; name="text"\r\nX-Noise: `;
    const reply = await send(app, start + 'y'.repeat(100_000));
    expect([reply.statusCode, reply.json<Body>().message]).toEqual([
      413,
      "The head of the part for field '' is larger than 16384 bytes",
    ]);
    await app.close();
    expect([folder.list(), folder.openFiles()]).toEqual([[], []]);
  });

  const boundaries: Record<string, string> = {
    'no boundary': 'multipart/form-data',
    'an empty boundary': 'multipart/form-data; boundary=""',
    'a boundary of 71 characters': `multipart/form-data; boundary=${'b'.repeat(71)}`,
  };
  for (const [what, type] of Object.entries(boundaries)) {
    test(`a Content-Type with ${what}`, async () => {
      const reply = await send(makeApp().app, form(), { 'content-type': type });
      expect([reply.statusCode, reply.json<Body>().message]).toEqual([
        400,
        `${invalid}the Content-Type must have a boundary of 1 to 70 characters`,
      ]);
    });
  }

  test('a boundary of 70 characters is accepted', async () => {
    const longest = 'b'.repeat(70);
    const headers = { 'content-type': `multipart/form-data; boundary=${longest}` };
    expect((await send(makeApp().app, `--${longest}--`, headers)).statusCode).toBe(200);
  });

  const cuts = form(file('file', 'a.png', 'content'), field('text', 'value'));
  test('a form that is cut at any byte', async () => {
    const { app, folder } = makeApp();
    const lastByteOfBoundary = cuts.length - '\r\n'.length;
    for (let length = 0; length < lastByteOfBoundary; length++) {
      const reply = await send(app, cuts.subarray(0, length));
      expect([length, reply.statusCode]).toEqual([length, 400]);
    }
    await app.close();
    expect([folder.list(), folder.openFiles()]).toEqual([[], []]);
  });

  test('no request pollutes a prototype', async () => {
    const { app } = makeApp({ onProtoPoisoning: 'ignore' });
    const reply = await send(
      app,
      form(field('__proto__', '{"polluted":1}', 'Content-Type: application/json')),
    );
    expect([reply.json<Body>().isPlain, ({} as { polluted?: number }).polluted]).toEqual([true, undefined]);
  });

  test('with onProtoPoisoning remove, the field is left out', async () => {
    const { app } = makeApp({ onProtoPoisoning: 'remove' });
    const reply = await send(app, form(field('__proto__', 'a'), field('text', 'b')));
    expect(reply.json<Body>().fields).toEqual([['text', 'b']]);
  });
});
