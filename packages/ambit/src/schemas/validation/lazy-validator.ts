/** A validator of Ajv that is compiled by its first call. */
import type { ValidatorFunction } from '../../contract/compiler.ts';

/** The validator, and what compiles it ahead of its first call. */
export interface LazyValidator {
  readonly validator: ValidatorFunction;
  readonly compile: () => void;
}

export function makeLazyValidator(compileNow: () => ValidatorFunction): LazyValidator {
  let compiled: ValidatorFunction | undefined;
  const compile = (): ValidatorFunction => {
    compiled ??= compileNow();
    return compiled;
  };
  const validator: ValidatorFunction = (data, dataContext) => (compiled ?? compile())(data, dataContext);
  Object.defineProperties(validator, {
    errors: { get: () => compiled?.errors },
    // By this Ajv's functions are told from others: they want to know where the data lives.
    schemaEnv: { get: () => (compile() as { schemaEnv?: object }).schemaEnv },
    schema: { get: () => (compile() as { schema?: unknown }).schema },
  });
  return { validator, compile };
}
