/** Generates forms: whole ones and damaged ones. */
import fc from 'fast-check';
import { boundary, file, form, type Part } from './forms.ts';

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
/** The content of a part, which may look like the end of one. */
export const content: fc.Arbitrary<string> = fc
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
/** Sizes of the pieces in which a form arrives. */
export const pieceBytes: fc.Arbitrary<number> = fc.integer({ min: 1, max: 400 });

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
/** Forms of which pieces are missing, or other bytes are added. */
export const damagedForm: fc.Arbitrary<Buffer> = fc
  .record({ parts, damages: fc.array(damage, { maxLength: 3 }) })
  .map(({ parts, damages }) => {
    let bytes = form(file('files', 'first', 'more than fits in memory'), ...parts);
    for (const { at, removed, added } of damages) {
      const from = Math.floor(at * bytes.length);
      bytes = Buffer.concat([bytes.subarray(0, from), Buffer.from(added), bytes.subarray(from + removed)]);
    }
    return bytes;
  });
