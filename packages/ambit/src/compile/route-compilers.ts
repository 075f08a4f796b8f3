/** Owns which compilers a route uses: its own, those of its context, or the default ones. */
import type { ContextNode } from '../context/context-node.ts';
import type {
  SerializerFunction,
  SerializerRequest,
  ValidatorFunction,
  ValidatorRequest,
} from '../contract/compiler.ts';
import type { RegisteredRoute } from '../contract/route-info.ts';
import type { ContentCompiler } from '../schemas/schema-engine.ts';

export interface RouteCompilers {
  readonly compileValidator: ContentCompiler<ValidatorRequest, ValidatorFunction>;
  readonly compileSerializer: ContentCompiler<SerializerRequest, SerializerFunction>;
  /** Whether they are not the default ones: then schemas may not be JSON Schema, and are passed on as they are. */
  readonly isForeignRequest: boolean;
  readonly isForeignResponse: boolean;
}

export function compilersOf(
  { validatorCompiler, serializerCompiler }: RegisteredRoute,
  { schemas }: ContextNode,
): RouteCompilers {
  return {
    // Resolved when called, so that an engine is loaded only if there is something to compile.
    compileValidator: validatorCompiler || ((...args) => schemas.resolveValidator()(...args)),
    compileSerializer: serializerCompiler || ((...args) => schemas.resolveSerializer()(...args)),
    isForeignRequest: Boolean(validatorCompiler) || schemas.hasForeignValidator,
    isForeignResponse: Boolean(serializerCompiler) || schemas.hasForeignSerializer,
  };
}
