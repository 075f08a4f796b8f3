/** The errors of decorators. */

import type { ErrorClass } from '../../shared/coded-error.ts';
import { defineError } from '../../shared/define-error.ts';

/** The name is already used. */
export const DecoratorAlreadyPresent: ErrorClass<[name: string]> = defineError({
  code: 'FST_ERR_DEC_ALREADY_PRESENT',
  message: (name: string) => `The decorator '${String(name)}' has already been added!`,
});
/** The third argument of a decorator is not an array. */
export const DecoratorDependenciesInvalid: ErrorClass<[name: string]> = defineError({
  code: 'FST_ERR_DEC_DEPENDENCY_INVALID_TYPE',
  message: "The dependencies of decorator '%s' must be of type Array.",
  base: TypeError,
});
/** A decorator that the third argument lists is missing. */
export const DecoratorDependencyMissing: ErrorClass<[dependency: string]> = defineError({
  code: 'FST_ERR_DEC_MISSING_DEPENDENCY',
  message: "The decorator is missing dependency '%s'.",
});
/** A decorator was added after boot. */
export const DecoratorAfterStart: ErrorClass<[name: string]> = defineError({
  code: 'FST_ERR_DEC_AFTER_START',
  message: "The decorator '%s' has been added after start!",
});
/** A decorator of requests or replies is an object. */
export const DecoratorReferenceType: ErrorClass<[name: string, type: string]> = defineError({
  code: 'FST_ERR_DEC_REFERENCE_TYPE',
  message:
    "The decorator '%s' of type '%s' is a reference type. Use the { getter, setter } interface instead.",
  hint: 'one object would be shared by all requests; give a getter, or set the value in an onRequest hook',
});
/** `getDecorator` or `setDecorator` got a name that is not declared. */
export const DecoratorUndeclared: ErrorClass<[name: string, owner: string]> = defineError({
  code: 'FST_ERR_DEC_UNDECLARED',
  message: "No decorator '%s' has been declared on %s.",
});
