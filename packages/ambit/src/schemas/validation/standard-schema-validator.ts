/** Makes validators of Standard Schema objects: a route may use them beside JSON Schema, part by part. */
import type { ValidationProblem, ValidationResult, ValidatorFunction } from '../../contract/compiler.ts';
import { pointerOf, type StandardIssue, type StandardSchema, whenValidated } from '../standard-schema.ts';

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

/** An issue with the fields of an Ajv error, so that formatters and error handlers need not know the library. */
function problemOf(issue: StandardIssue, vendor: string): ValidationProblem {
  const instancePath = pointerOf(issue);
  return { keyword: vendor, instancePath, schemaPath: '#', params: { issue }, message: issue.message };
}
