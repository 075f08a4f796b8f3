/** Creates serializers from Standard Schema objects: they write the value that the schema returns as JSON. */

import { pointerOfIssue, type StandardSchema } from '@ambit/json-schema';
import { isThenable } from '../../shared/values.ts';
import type { SerializerFunction } from '../../types/compilers.ts';
import { ResponseInvalid, ResponseSchemaAsync } from '../../types/errors.ts';
import { writeJson } from './write-json.ts';

/** @returns A serializer that throws {ResponseInvalid} for a value that the schema rejects. */
export function serializerOf(schema: StandardSchema): SerializerFunction {
  return (value) => {
    const result = schema['~standard'].validate(value);
    if (isThenable(result)) throw new ResponseSchemaAsync(schema['~standard'].vendor);
    if (result.issues !== undefined) {
      const problems = result.issues.map((issue) => `response${pointerOfIssue(issue)} ${issue.message}`);
      throw new ResponseInvalid(problems.join(', '));
    }
    // A transform may return undefined, which JSON can only express as null.
    return writeJson(result.value) ?? 'null';
  };
}
