/** Any form, in pieces of any size: it is read, or refused with a reason. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { damagedForm, pieceBytes } from '../../ambit/test/support/any-form.ts';
import { boundary } from '../../ambit/test/support/forms.ts';
import { FileStorage, FormError, FormReader } from '../src/index.ts';
import { pieces } from './support.ts';

const inputs = Number(process.env.FUZZ_INPUTS ?? 10_000);

test(`a form that is damaged is read or refused with a reason, ${inputs} times`, async () => {
  await fc.assert(
    fc.asyncProperty(damagedForm, pieceBytes, async (bytes, size) => {
      const storage = new FileStorage();
      const reader = new FormReader(boundary, { storage });
      const error = await reader.read(pieces(bytes, size)).then(
        () => undefined,
        (error: unknown) => error,
      );
      await storage.remove();
      expect(error === undefined || error instanceof FormError).toBe(true);
    }),
    { numRuns: inputs },
  );
}, 600_000);
