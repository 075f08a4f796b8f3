// docs/errors.md explains every error and warning of the package, with its status and its message. The examples cause the errors.
import { readFileSync } from 'node:fs';
import { ambit, type CodedError, errors, hoist } from 'ambit';
import { expect, test } from 'vitest';

type ErrorClass = { new (...args: unknown[]): CodedError; readonly code: string };

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

const entries = read('../../../docs/errors.md')
  .replace(/^## Other packages$.*?(?=^## )/ms, '')
  .split(/^### /m)
  .slice(1)
  .map(
    (entry) => /^(?<code>\w+)\n\n```text\n(?<message>[^\n]+)\n```\n\n(?<text>\S.*)$/s.exec(entry)!.groups!,
  );
const entryOf = (code: string) => entries.find((entry) => entry.code === code);
const classes = Object.values(errors) as unknown as ErrorClass[];
const warnings = read('../src/types/warnings.ts');

test('every code has an entry, and every entry a code', () => {
  const warned = warnings.match(/\b(?:FST|AMB)(?:WRN|SEC|DEP)\d+\b/g);
  const codes = [...classes.map(({ code }) => code), ...new Set(warned)];
  expect(entries.map(({ code }) => code).sort()).toEqual(codes.sort());
});

const sample = 987;
const toPattern = (text: string): RegExp =>
  new RegExp(`^${text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/%[sd]|987/g, '.+')}$`, 's');

/** The texts that a class makes of samples: of a format, the one with all its placeholders filled; of a function, one for each number of arguments. */
function textsOf(Class: ErrorClass): string[] {
  const texts = [0, 1, 2, 3, 4, 5].map((count) =>
    String(new Class(...Array.from({ length: count }, () => sample)).message),
  );
  const placeholders = texts[0]!.match(/%[sd]/g)?.length ?? 0;
  const isFormat = placeholders > 0 || texts[1] === `${texts[0]} ${sample}`;
  return isFormat ? [texts[placeholders]!] : texts.filter((text) => text !== String(sample));
}

test.each(classes.map((Class) => [Class.code, Class] as const))(
  'the entry of %s has its status and its message',
  (code, Class) => {
    const { message, text } = entryOf(code)!;
    expect(/^Status (\d+)\./.exec(text!)?.[1] ?? '500').toBe(String(new Class().statusCode));
    expect(textsOf(Class).filter((each) => toPattern(each).test(message!))).not.toEqual([]);
  },
);

test.each(
  [...warnings.matchAll(/(["'])((?:FST|AMB)[A-Z]+\d+): (.+?)\1[,);]/g)].map((found) => found.slice(2)),
)('the entry of %s has its message: %s', (code, text) => {
  expect(entryOf(code!)!.message).toMatch(toPattern(text!));
});

const examples = entries.flatMap(({ code, text }) => {
  const [, wrong, mended] = /```js fragment\n(.+)\/\/ Mended:\n(.+)```/s.exec(text!) ?? [];
  return wrong === undefined ? [] : [[code!, wrong, mended!] as const];
});

async function boot(program: string): Promise<void> {
  const app = ambit({ pluginTimeout: 50 });
  try {
    await new Function('app', 'ambit', 'hoist', `return (async () => {${program}})()`)(app, ambit, hoist);
    await app.ready();
  } finally {
    await app.close();
  }
}

test.each(examples)('the example of %s causes it until it is mended', async (code, wrong, mended) => {
  const failure = await boot(wrong).catch((error) => error);
  expect([failure.code, failure.cause?.code]).toContain(code);
  await boot(mended);
});
