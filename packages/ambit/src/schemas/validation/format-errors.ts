/** Owns the default text of a failed validation (specification 5.3). */
import type { HttpPart, SchemaErrorFormatter, ValidationProblem } from '../../contract/compiler.ts';
import type { Conventions } from '../../contract/conventions.ts';

/** The default formatter: `body should have required property 'name'`, several problems joined by commas. */
export function makeErrorFormatter(verb: Conventions['validationVerb']): SchemaErrorFormatter {
  return (problems: ValidationProblem[], dataVar: HttpPart) => {
    const texts = problems.map(
      (problem) => `${dataVar}${problem.instancePath ?? ''} ${phrase(problem, verb)}`,
    );
    // A validator of another library may say no more than "false".
    return new Error(texts.join(', ') || `${dataVar} ${verb} be valid`);
  };
}

/** Ajv's own wording begins with "must"; the specification's begins with "should". */
function phrase({ message = '' }: ValidationProblem, verb: Conventions['validationVerb']): string {
  return verb === 'should' && message.startsWith('must ')
    ? `should ${message.slice('must '.length)}`
    : message;
}
