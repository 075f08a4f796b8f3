/** Owns fast-json-stringify, the default serializer engine. */
import type { SerializerCompiler, SerializerFunction, SharedSchemas } from '../contract/compiler.ts';
import type { JsonSchema } from '../kit/json-schema.ts';
import { lazyModule } from '../kit/lazy-module.ts';

type Engine = (schema: JsonSchema, options: { schema: Record<string, JsonSchema> }) => SerializerFunction;
const loadEngine = lazyModule<Engine>('fast-json-stringify');

/** A serializer compiler that resolves `$ref` among the given shared schemas. */
export function buildSerializerCompiler(
  shared: SharedSchemas,
  options: Record<string, unknown> | undefined,
): SerializerCompiler {
  return ({ schema }) => {
    const own = schema as JsonSchema;
    const id = own.$id;
    // A route may use a shared schema as it is: the engine must not see the same `$id` twice.
    const others =
      typeof id === 'string' && Object.hasOwn(shared, id)
        ? Object.fromEntries(Object.entries(shared).filter(([key]) => key !== id))
        : { ...shared };
    return loadEngine()(own, { ...options, schema: others });
  };
}
