/** Owns @ambit/json-serializer, the default serializer engine. */
import type { CompileOptions } from '@ambit/json-serializer';
import type {
  SerializerCompiler,
  SerializerFunction,
  SerializerOptions,
  SharedSchemas,
} from '../contract/compiler.ts';
import type { Logger } from '../contract/logger.ts';
import type { CompileQueue } from '../kit/compile-queue.ts';
import { CompiledOnce } from '../kit/content-key.ts';
import type { JsonSchema } from '../kit/json-schema.ts';
import { lazyModule } from '../kit/lazy-module.ts';
import { warnOfFindings } from './warn-of-findings.ts';

const loadEngine = lazyModule<typeof import('@ambit/json-serializer')>('@ambit/json-serializer');

/**
 * A serializer compiler that resolves `$ref` among the given shared schemas.
 *
 * @param log Gets a warning for everything that serializing changes; without it nothing is reported.
 */
export function buildSerializerCompiler(
  shared: SharedSchemas,
  options: SerializerOptions | undefined,
  queue: CompileQueue,
  log: Logger | undefined,
): SerializerCompiler {
  const common: CompileOptions = {
    refs: shared,
    rounding: options?.rounding ?? 'trunc',
    generate: queue.isEager ? 'now' : 'first-use',
    schedule: (generate) => queue.add(generate),
  };
  if (log !== undefined) {
    // Findings name their route, so that no two routes can share a serializer.
    return (request) =>
      loadEngine().compile(request.schema as JsonSchema, {
        ...common,
        report: warnOfFindings(log, request),
      });
  }
  const compiled = new CompiledOnce<SerializerFunction>();
  return ({ schema }) => compiled.get(schema, () => loadEngine().compile(schema as JsonSchema, common));
}
