/** Owns fast-json-stringify, the default serializer engine. */
import type { SerializerCompiler, SerializerFunction, SharedSchemas } from '../contract/compiler.ts';
import { CompiledOnce } from '../kit/content-key.ts';
import type { JsonSchema } from '../kit/json-schema.ts';
import { lazyModule } from '../kit/lazy-module.ts';

type Engine = (schema: JsonSchema, options: { schema: Record<string, JsonSchema> }) => SerializerFunction;
const loadEngine = lazyModule<Engine>('fast-json-stringify');

/** A serializer compiler that resolves `$ref` among the given shared schemas. */
export function buildSerializerCompiler(
  shared: SharedSchemas,
  options: Record<string, unknown> | undefined,
): SerializerCompiler {
  const compiled = new CompiledOnce<SerializerFunction>();
  return ({ schema }) =>
    compiled.get(schema, () => {
      const own = schema as JsonSchema;
      return loadEngine()(own, { ...options, schema: othersThan(own.$id, shared) });
    });
}

/** A route may use a shared schema as it is: the engine must not see the same `$id` twice. */
function othersThan(id: unknown, shared: SharedSchemas): Record<string, JsonSchema> {
  const others: Record<string, JsonSchema> = { ...shared };
  if (typeof id === 'string') delete others[id];
  return others;
}
