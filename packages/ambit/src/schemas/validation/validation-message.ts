/** The default message of a failed validation (specification 5.3). */

import type { HttpPart, SchemaErrorFormatter, ValidationProblem } from '../../types/compilers.ts';
import type { Compatibility } from '../../types/flavor.ts';

/** The default formatter: `body should have required property 'name'`, several problems joined by commas. */
export function makeErrorFormatter(verb: Compatibility['validationVerb']): SchemaErrorFormatter {
  return (problems: ValidationProblem[], dataVar: HttpPart) => {
    const texts = problems.map(
      (problem) => `${dataVar}${problem.instancePath ?? ''} ${messageOf(problem, verb)}`,
    );
    if (verb === 'should') rewordWhenSerialized(problems);
    // A validator of another library may return only `false`, without problems.
    return new Error(texts.join(', ') || `${dataVar} ${verb} be valid`);
  };
}

/** Ajv's messages begin with "must", those of the specification with "should". */
function messageOf(
  { message = '' }: Pick<ValidationProblem, 'message'>,
  verb: Compatibility['validationVerb'],
): string {
  return verb === 'should' && message.startsWith('must ')
    ? `should ${message.slice('must '.length)}`
    : message;
}

/**
 * Changes the errors to "should" when they are serialized in a reply, so that the reply matches the message. In memory, they keep the text
 * of the validator, because translations and tools read that.
 */
function rewordWhenSerialized(problems: ValidationProblem[]): void {
  const isNotAjv = !problems.some(({ message = '' }) => message.startsWith('must '));
  if (isNotAjv || !Object.isExtensible(problems)) return;
  Object.defineProperty(problems, 'toJSON', {
    configurable: true,
    writable: true,
    value: () => problems.map((problem) => ({ ...problem, message: messageOf(problem, 'should') })),
  });
}
