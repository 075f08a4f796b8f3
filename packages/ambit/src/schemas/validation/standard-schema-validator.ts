/** Creates validators from Standard Schema objects. A route may use them for some parts, and JSON Schema for others. */
import {
  pointerOfIssue,
  type StandardIssue,
  type StandardResult,
  type StandardSchema,
} from '@ambit/json-schema';
import { isThenable } from '../../shared/values.ts';
import type { ValidationProblem, ValidationResult, ValidatorFunction } from '../../types/compilers.ts';

export function validatorOf(schema: StandardSchema): ValidatorFunction {
  const { vendor } = schema['~standard'];
  const validate = (data: unknown): ValidationResult =>
    whenValidated<ValidationResult>(schema['~standard'].validate(data), (result) =>
      result.issues === undefined
        ? { value: result.value }
        : { error: result.issues.map((issue) => problemOf(issue, vendor)) },
    );
  return Object.assign(validate, { takesUndefined: true as const });
}

/** Converts an issue to a problem with the fields of an Ajv error, so that formatters and error handlers do not depend on the library. */
function problemOf(issue: StandardIssue, vendor: string): ValidationProblem {
  const instancePath = pointerOfIssue(issue);
  return { keyword: vendor, instancePath, schemaPath: '#', params: { issue }, message: issue.message };
}

/** Reads a result now, or when its promise resolves. */
function whenValidated<T>(
  result: StandardResult | PromiseLike<StandardResult>,
  read: (result: StandardResult) => T,
): T | PromiseLike<T> {
  return isThenable<StandardResult>(result) ? result.then(read) : read(result);
}
