/** Collects the value of one field of a form: text, or JSON. */
import { FieldTooLarge, JsonBodyInvalid, MultipartInvalid } from '../../types/errors.ts';
import { poisonProblem } from '../../types/request.ts';
import type { PartHead } from './part-head.ts';
import type { FormRules, PartTarget } from './part-target.ts';

export function openField(head: PartHead, { shape, limits, readJson }: FormRules): PartTarget {
  const { field, filename, mediaType } = head;
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  return {
    write: (chunk) => {
      sizeBytes += chunk.length;
      if (sizeBytes > limits.fieldSize) throw new FieldTooLarge(field, limits.fieldSize);
      chunks.push(chunk);
    },
    end: () => {
      const isJsonField = mediaType === 'application/json' || mediaType.endsWith('+json');
      // The bytes of a file must not be accepted as the value of a field.
      if (filename !== undefined && !isJsonField)
        throw new MultipartInvalid(`the field '${field}' must not be a file`);
      const text = decodeField(head, Buffer.concat(chunks));
      const value = isJsonField || shape.isObject(field) ? parseJson(field, text, readJson) : text;
      return { field, value };
    },
  };
}

function decodeField({ field, charset = 'utf-8' }: PartHead, bytes: Buffer): string {
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new MultipartInvalid(`the field '${field}' is not text in ${charset}`);
  }
}

function parseJson(field: string, text: string, readJson: FormRules['readJson']): unknown {
  try {
    return readJson(text);
  } catch (cause) {
    const isPoisonous = cause instanceof JsonBodyInvalid && cause.message.endsWith(poisonProblem);
    throw MultipartInvalid.at(
      { cause },
      `the field '${field}' ${isPoisonous ? poisonProblem : 'is not valid JSON'}`,
    );
  }
}
