/** Owns the default text of a failed validation (specification 5.3). */

import type { Compatibility } from '../../contract/compatibility.ts';
import type { HttpPart, SchemaErrorFormatter, ValidationProblem } from '../../contract/compiler.ts';

/** The default formatter: `body should have required property 'name'`, several problems joined by commas. */
export function makeErrorFormatter(verb: Compatibility['validationVerb']): SchemaErrorFormatter {
  return (problems: ValidationProblem[], dataVar: HttpPart) => {
    const texts = problems.map(
      (problem) => `${dataVar}${problem.instancePath ?? ''} ${phrase(problem, verb)}`,
    );
    if (verb === 'should') wordReplies(problems);
    // A validator of another library may say no more than "false".
    return new Error(texts.join(', ') || `${dataVar} ${verb} be valid`);
  };
}

/** Ajv's own wording begins with "must"; the specification's begins with "should". */
function phrase(
  { message = '' }: Pick<ValidationProblem, 'message'>,
  verb: Compatibility['validationVerb'],
): string {
  return verb === 'should' && message.startsWith('must ')
    ? `should ${message.slice('must '.length)}`
    : message;
}

/**
 * Has the errors say "should" where they become part of a reply, so that it has one wording: the message's. In memory they stay what the
 * validator reported, since translations and tools go by that.
 */
function wordReplies(problems: ValidationProblem[]): void {
  const isForeign = !problems.some(({ message = '' }) => message.startsWith('must '));
  if (isForeign || !Object.isExtensible(problems)) return;
  Object.defineProperty(problems, 'toJSON', {
    configurable: true,
    writable: true,
    value: () => problems.map((problem) => ({ ...problem, message: phrase(problem, 'should') })),
  });
}
