/** Validates with Standard Schema objects beside the default engine: a route may use either, part by part. */
import type {
  ValidationProblem,
  ValidationResult,
  ValidatorCompiler,
  ValidatorFunction,
} from '../../contract/compiler.ts';
import {
  isStandardSchema,
  pointerOf,
  type StandardIssue,
  type StandardSchema,
  whenValidated,
} from '../standard-schema.ts';

/** The compiler, with Standard Schema objects taken care of before they reach it. */
export function validatingStandardSchemas(compile: ValidatorCompiler): ValidatorCompiler {
  return (request) => (isStandardSchema(request.schema) ? validatorOf(request.schema) : compile(request));
}

function validatorOf(schema: StandardSchema): ValidatorFunction {
  const { vendor } = schema['~standard'];
  const validate = (data: unknown): ValidationResult =>
    whenValidated<ValidationResult>(schema['~standard'].validate(data), (result) =>
      result.issues === undefined
        ? { value: result.value }
        : { error: result.issues.map((issue) => problemOf(issue, vendor)) },
    );
  return Object.assign(validate, { takesUndefined: true as const });
}

/** An issue in the fields of the default engine: formatters and error handlers need not know the library. */
function problemOf(issue: StandardIssue, vendor: string): ValidationProblem {
  const instancePath = pointerOf(issue);
  return { keyword: vendor, instancePath, schemaPath: '#', params: { issue }, message: issue.message };
}
