/** Owns the default text of a failed validation (specification 5.3). */

import type { Compatibility } from '../../contract/compatibility.ts';
import type { HttpPart, SchemaErrorFormatter, ValidationProblem } from '../../contract/compiler.ts';

/** The default formatter: `body should have required property 'name'`, several problems joined by commas. */
export function makeErrorFormatter(verb: Compatibility['validationVerb']): SchemaErrorFormatter {
  return (problems: ValidationProblem[], dataVar: HttpPart) => {
    const texts = problems.map(
      (problem) => `${dataVar}${problem.instancePath ?? ''} ${messageOf(problem, verb)}`,
    );
    if (verb === 'should') rewordInReplies(problems);
    // A validator of another library may only report "false".
    return new Error(texts.join(', ') || `${dataVar} ${verb} be valid`);
  };
}

/** Ajv's own wording begins with "must"; the specification's begins with "should". */
function messageOf(
  { message = '' }: Pick<ValidationProblem, 'message'>,
  verb: Compatibility['validationVerb'],
): string {
  return verb === 'should' && message.startsWith('must ')
    ? `should ${message.slice('must '.length)}`
    : message;
}

/**
 * Rewords the errors to "should" when they are written into a reply, so that the reply has the wording of the message. In memory they keep
 * what the validator reported, because translations and tools read that.
 */
function rewordInReplies(problems: ValidationProblem[]): void {
  const isForeign = !problems.some(({ message = '' }) => message.startsWith('must '));
  if (isForeign || !Object.isExtensible(problems)) return;
  Object.defineProperty(problems, 'toJSON', {
    configurable: true,
    writable: true,
    value: () => problems.map((problem) => ({ ...problem, message: messageOf(problem, 'should') })),
  });
}
