/** Owns the default validator compiler: which schemas Ajv compiles when, and which were compiled in a build. */
import type { Ajv, AnySchemaObject } from 'ajv';
import type {
  AjvOptions,
  SharedSchemas,
  ValidatorCompiler,
  ValidatorFunction,
  ValidatorRequest,
} from '../../contract/compiler.ts';
import { describePart } from '../../contract/describe-part.ts';
import { CodeGenerationForbidden, CompiledStale } from '../../contract/errors.ts';
import { mayGenerateCode } from '../../shared/may-generate-code.ts';
import type { Artifact } from '../artifact/artifact.ts';
import type { CompileQueue } from '../compile-queue.ts';
import { CompiledOnce } from '../content-key.ts';
import { compileWith, isSerializable, isStandardConfig, makeEngine } from './ajv-engine.ts';
import { makeLazyValidator } from './lazy-validator.ts';
import { passesPrecheck, sharedPassPrecheck } from './schema-precheck.ts';

/**
 * A validator compiler that resolves `$ref` among the given shared schemas. The engine is made on first use. Schemas that it is
 * certain to compile may wait for their first use as well; every other one is compiled at once, so that its error surfaces.
 * What is in the artifact needs no engine at all.
 */
export function buildAjvCompiler(
  shared: SharedSchemas,
  options: AjvOptions,
  queue: CompileQueue,
  artifact: Artifact,
): ValidatorCompiler {
  let engine: Ajv | undefined;
  const compileNow = (schema: unknown): ValidatorFunction => {
    engine ??= makeEngine(shared, options);
    return compileWith(engine, schema as AnySchemaObject | boolean, shared);
  };
  const find = finderIn(artifact, shared, options);
  const compiled = new CompiledOnce<ValidatorFunction>();
  let mayWait: boolean | undefined;
  return (request) =>
    compiled.get(request.schema, (content) => {
      const link = content === undefined ? undefined : find?.(content, request);
      if (link === undefined && !mayGenerateCode()) throw new CodeGenerationForbidden(describePart(request));
      if (content === undefined) return compileNow(request.schema);
      if (link === undefined) {
        mayWait ??= !queue.isEager && isStandardConfig(options) && sharedPassPrecheck(shared);
        if (!mayWait || !passesPrecheck(request.schema, shared)) return compileNow(request.schema);
      }
      // The text, and not the object: what is done to that after boot must not count.
      const { validator, compile } = makeLazyValidator(link ?? (() => compileNow(JSON.parse(content))));
      if (queue.isEager) compile();
      else queue.add(compile);
      return validator;
    });
}

/** Finds in the artifact what makes the validator of a schema; `undefined` where there is nothing to look for. */
function finderIn(artifact: Artifact, shared: SharedSchemas, options: AjvOptions) {
  if (!isSerializable(options)) return undefined;
  const section = artifact.open<number>({
    part: 'validators',
    options: { mode: options.mode, customOptions: options.customOptions },
    shared,
    isStandardConfig: isStandardConfig(options),
  });
  return (content: string, request: ValidatorRequest): (() => ValidatorFunction) | undefined => {
    const module = section.find(
      content,
      () => new CompiledStale(`${describePart(request)} is not among them`),
    );
    return module === undefined ? undefined : () => linkValidator(artifact, module, content);
  };
}

/** The linked function, with what else the engine's own functions are known by. */
function linkValidator({ modules }: Artifact, module: number, content: string): ValidatorFunction {
  const validator = modules.link(module) as ValidatorFunction;
  let schema: unknown;
  return Object.defineProperties(validator, {
    schemaEnv: { value: {}, configurable: true },
    schema: {
      configurable: true,
      get: () => {
        schema ??= JSON.parse(content);
        return schema;
      },
    },
  });
}
