/** Selects the compilers of a route: its own, those of its context, or the default ones. */
import type { ContextNode } from '../context/context-node.ts';
import type { ContentCompiler } from '../schemas/schema-engine.ts';
import type {
  SerializerFunction,
  SerializerRequest,
  ValidatorFunction,
  ValidatorRequest,
} from '../types/compilers.ts';
import type { RegisteredRoute } from '../types/route-info.ts';

export interface RouteCompilers {
  readonly compileValidator: ContentCompiler<ValidatorRequest, ValidatorFunction>;
  readonly compileSerializer: ContentCompiler<SerializerRequest, SerializerFunction>;
  /** Whether the compiler is not the default one. Then schemas may not be JSON Schema, and are passed on unchanged. */
  readonly hasCustomValidator: boolean;
  readonly hasCustomSerializer: boolean;
}

export function compilersOf(
  { validatorCompiler, serializerCompiler }: RegisteredRoute,
  { schemas }: ContextNode,
): RouteCompilers {
  return {
    // Resolved when called, so that an engine is loaded only if there is something to compile.
    compileValidator: validatorCompiler || ((...args) => schemas.resolveValidator()(...args)),
    compileSerializer: serializerCompiler || ((...args) => schemas.resolveSerializer()(...args)),
    hasCustomValidator: Boolean(validatorCompiler) || schemas.hasCustomValidator,
    hasCustomSerializer: Boolean(serializerCompiler) || schemas.hasCustomSerializer,
  };
}
