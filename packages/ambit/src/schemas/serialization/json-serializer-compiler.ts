/** Owns @ambit/json-serializer, the default serializer engine: what it compiles, and what it compiled in a build. */
import type { CompileOptions } from '@ambit/json-serializer';
import type { Program } from '@ambit/json-serializer/runtime';
import type {
  JsonSchema,
  SerializerCompiler,
  SerializerFunction,
  SerializerOptions,
  SerializerRequest,
  SharedSchemas,
} from '../../contract/compiler.ts';
import { describePart } from '../../contract/describe-part.ts';
import { CodeGenerationForbidden, CompiledStale } from '../../contract/errors.ts';
import type { Logger } from '../../contract/logger.ts';
import { lazyModule } from '../../shared/lazy-module.ts';
import { mayGenerateCode } from '../../shared/may-generate-code.ts';
import { require } from '../../shared/require.ts';
import type { Artifact } from '../artifact/artifact.ts';
import type { CompileQueue } from '../compile-queue.ts';
import { CompiledOnce, contentKey } from '../content-key.ts';
import { warnOfDiagnostics } from './warn-of-diagnostics.ts';

const loadEngine = lazyModule<typeof import('@ambit/json-serializer')>(() =>
  require('@ambit/json-serializer'),
);
const loadRuntime = lazyModule<typeof import('@ambit/json-serializer/runtime')>(() =>
  require('@ambit/json-serializer/runtime'),
);

/** What surrounds the making of serializers. */
export interface SerializerDependencies {
  readonly queue: CompileQueue;
  readonly artifact: Artifact;
  /** Gets a warning for everything that serializing changes; without it nothing is reported. */
  readonly log: Logger | undefined;
}

/** A serializer compiler that resolves `$ref` among the given shared schemas. */
export function buildSerializerCompiler(
  shared: SharedSchemas,
  options: SerializerOptions | undefined,
  dependencies: SerializerDependencies,
): SerializerCompiler {
  const { queue, artifact, log } = dependencies;
  const rounding = options?.rounding ?? 'trunc';
  const section = artifact.open<Program>({
    part: 'serializers',
    options: { rounding },
    shared,
    isStandardConfig: true,
  });
  const make = (request: SerializerRequest, content: string | undefined): SerializerFunction => {
    const report = log && warnOfDiagnostics(log, request);
    const own: CompileOptions = { refs: shared, rounding, ...(report && { report }) };
    const missing = () => new CompiledStale(`${describePart(request)} is not among them`);
    const program = content === undefined ? undefined : section.find(content, missing);
    if (program === undefined && !mayGenerateCode()) throw new CodeGenerationForbidden(describePart(request));
    return program === undefined
      ? loadEngine().compile(request.schema as JsonSchema, {
          ...own,
          generate: queue.isEager ? 'now' : 'first-use',
          schedule: (generate) => queue.add(generate),
        })
      : linkLater(program, content!, own, queue);
  };
  // Diagnostics name their route, so that no two routes can share a serializer.
  if (log !== undefined) return (request) => make(request, contentKey(request.schema));
  const compiled = new CompiledOnce<SerializerFunction>();
  return (request) => compiled.get(request.schema, (content) => make(request, content));
}

/**
 * The serializer of a program, which its first value links. The schema is the text, and not the object: what is done to that after
 * boot must not count.
 */
function linkLater(
  program: Program,
  content: string,
  options: CompileOptions,
  queue: CompileQueue,
): SerializerFunction {
  let serializer: SerializerFunction | undefined;
  const link = (): SerializerFunction => {
    serializer ??= loadRuntime().load(program, JSON.parse(content), { ...options, generate: 'now' });
    return serializer;
  };
  if (queue.isEager) link();
  else queue.add(link);
  return (value) => (serializer ?? link())(value);
}
