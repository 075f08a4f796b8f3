/** Owns the shared schemas of a context (specification 4.1) and the compilers that resolve `$ref` among them. */
import { createRequire } from 'node:module';
import { lazyModule } from '../shared/lazy-module.ts';
import { isPlainObject } from '../shared/values.ts';
import type {
  AjvOptions,
  JsonSchema,
  SchemaBucket,
  SchemaControllerOptions,
  SerializerCompiler,
  SerializerFunction,
  SerializerOptions,
  SerializerRequest,
  SharedSchemas,
  ValidatorCompiler,
  ValidatorFunction,
  ValidatorRequest,
} from '../types/compilers.ts';
import { SchemaAlreadyPresent, SchemaIdMissing, SchemaIdReserved } from '../types/errors.ts';
import type { ContentCompiler } from './schema-engines.ts';

const require = createRequire(import.meta.url);

/** Applications without schemas do not need it. */
export const loadJsonSchema: () => typeof import('@ambit/json-schema') = lazyModule<
  typeof import('@ambit/json-schema')
>(() => require('@ambit/json-schema'));

type BuiltValidator = ContentCompiler<ValidatorRequest, ValidatorFunction>;
type BuiltSerializer = ContentCompiler<SerializerRequest, SerializerFunction>;

/** The functions that build the compilers of contexts that set none themselves. */
export interface CompilerFactories {
  readonly buildValidator: (shared: SharedSchemas, options: AjvOptions) => BuiltValidator;
  readonly buildSerializer: (
    shared: SharedSchemas,
    options: SerializerOptions | undefined,
  ) => BuiltSerializer;
  readonly ajvOptions: AjvOptions;
  readonly serializerOptions: SerializerOptions | undefined;
}

export class SchemaRegistry {
  readonly #parent: SchemaRegistry | undefined;
  #factories: CompilerFactories;
  #controller: SchemaControllerOptions | undefined;
  #bucket: SchemaBucket | undefined;
  readonly #own = new Map<string, JsonSchema>();
  /** Set here, or above before this context was opened. */
  #customValidator: ValidatorCompiler | undefined;
  #customSerializer: SerializerCompiler | undefined;
  #builtValidator: BuiltValidator | undefined;
  #builtSerializer: BuiltSerializer | undefined;
  #visible: SharedSchemas | undefined;

  constructor(
    factories: CompilerFactories,
    controller: SchemaControllerOptions | undefined,
    parent?: SchemaRegistry,
  ) {
    this.#parent = parent;
    this.#customValidator = parent?.validatorCompiler;
    this.#customSerializer = parent?.serializerCompiler;
    this.#controller = controller;
    this.#factories = factories;
    if (controller?.bucket) this.#bucket = controller.bucket(parent?.all());
    if (parent === undefined) this.#applyFactories(controller);
  }

  child(): SchemaRegistry {
    return new SchemaRegistry(this.#factories, this.#controller, this);
  }

  /** Replaces the store of schemas and the factories of compilers, in this context and below. */
  setController(controller: SchemaControllerOptions): void {
    this.#controller = { ...this.#controller, ...controller };
    if (controller.bucket) this.#bucket = controller.bucket(this.#parent?.all());
    this.#applyFactories(controller);
    if (controller.compilersFactory?.buildValidator) this.#customValidator = this.#parent?.validatorCompiler;
    if (controller.compilersFactory?.buildSerializer)
      this.#customSerializer = this.#parent?.serializerCompiler;
  }

  #applyFactories(controller: SchemaControllerOptions | undefined): void {
    const { buildValidator, buildSerializer } = controller?.compilersFactory || {};
    if (!buildValidator && !buildSerializer) return;
    this.#factories = {
      ...this.#factories,
      ...(buildValidator && { buildValidator }),
      // The cast: schemas that handlers compile themselves have no status, but published compilers do not read it.
      ...(buildSerializer && { buildSerializer: buildSerializer as CompilerFactories['buildSerializer'] }),
    };
  }

  /**
   * @throws {SchemaAlreadyPresent} if a schema with this `$id` is visible here already (specification 4.3).
   * @throws {SchemaIdReserved}
   */
  add(input: unknown): void {
    if (this.#bucket !== undefined) {
      this.#bucket.add(input);
      return;
    }
    const schema = copySchema(loadJsonSchema().plainSchema(input)) as JsonSchema;
    const { $id: id } = Object(schema) as JsonSchema;
    if (typeof id !== 'string' || id === '') throw new SchemaIdMissing();
    if (id.replace(/#\/?$/, '') in Object.prototype) throw new SchemaIdReserved(id);
    if (this.get(id) !== undefined) throw new SchemaAlreadyPresent(id);
    this.#own.set(id, schema);
  }

  get(id: string): unknown {
    if (this.#bucket !== undefined) return this.#bucket.getSchema(id);
    return this.#own.get(id) ?? this.#parent?.get(id);
  }

  /** All schemas visible here, by `$id`. A schema of this context hides one of an ancestor. */
  all(): Record<string, unknown> {
    if (this.#bucket !== undefined) return this.#bucket.getSchemas();
    return { ...this.#parent?.all(), ...Object.fromEntries(this.#own) };
  }

  /**
   * The same for the code that compiles routes: one object for all contexts that see the same schemas. It is made once, so it must not be
   * read before every plugin has loaded.
   */
  get visible(): SharedSchemas {
    return this.#compilerOwner().#collectVisible();
  }

  #collectVisible(): SharedSchemas {
    this.#visible ??= this.all() as SharedSchemas;
    return this.#visible;
  }

  set validatorCompiler(compiler: ValidatorCompiler | undefined) {
    this.#customValidator = compiler;
  }

  /** The validator compiler that was set here or above, if any: contexts that are opened from now on inherit it. */
  get validatorCompiler(): ValidatorCompiler | undefined {
    return this.#customValidator ?? this.#parent?.validatorCompiler;
  }

  set serializerCompiler(compiler: SerializerCompiler | undefined) {
    this.#customSerializer = compiler;
  }

  get serializerCompiler(): SerializerCompiler | undefined {
    return this.#customSerializer ?? this.#parent?.serializerCompiler;
  }

  /** The compiler that is used here: one that was set, or one that was built for a route; `undefined` if there is none yet. */
  get currentValidator(): ValidatorCompiler | undefined {
    return this.#customValidator ?? this.#compilerOwner().#builtValidator ?? this.validatorCompiler;
  }

  get currentSerializer(): SerializerCompiler | undefined {
    return this.#customSerializer ?? this.#compilerOwner().#builtSerializer ?? this.serializerCompiler;
  }

  /** Whether the application sets the compiler that is used here. Schemas may then be of another kind than JSON Schema. */
  get hasCustomValidator(): boolean {
    return this.#customValidator !== undefined || Boolean(this.#controller?.compilersFactory?.buildValidator);
  }

  /** Whether the application sets the serializer compiler that is used here. */
  get hasCustomSerializer(): boolean {
    return (
      this.#customSerializer !== undefined || Boolean(this.#controller?.compilersFactory?.buildSerializer)
    );
  }

  /**
   * Returns the compiler to use here: the one that was set, or one built for the visible schemas, which contexts with the same schemas
   * share.
   */
  resolveValidator(): BuiltValidator {
    return this.#customValidator ?? this.#compilerOwner().#buildValidator();
  }

  resolveSerializer(): BuiltSerializer {
    return this.#customSerializer ?? this.#compilerOwner().#buildSerializer();
  }

  #buildValidator(): BuiltValidator {
    const { buildValidator, ajvOptions } = this.#factories;
    this.#builtValidator ??= buildValidator(this.#collectVisible(), ajvOptions);
    return this.#builtValidator;
  }

  #buildSerializer(): BuiltSerializer {
    const { buildSerializer, serializerOptions } = this.#factories;
    this.#builtSerializer ??= buildSerializer(this.#collectVisible(), serializerOptions);
    return this.#builtSerializer;
  }

  /** The most distant ancestor that has the same visible schemas and factories: its compiler is used by all contexts in between. */
  #compilerOwner(): SchemaRegistry {
    let owner: SchemaRegistry = this;
    while (
      owner.#parent !== undefined &&
      owner.#own.size === 0 &&
      owner.#bucket === undefined &&
      owner.#factories === owner.#parent.#factories
    ) {
      owner = owner.#parent;
    }
    return owner;
  }
}

/** Copies a schema, so that later changes of the application's object have no effect. Functions and class instances stay: they are not JSON. */
function copySchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(copySchema);
  if (!isPlainObject(schema)) return schema;
  const copy = { ...schema };
  for (const key of Object.keys(copy)) copy[key] = copySchema(copy[key]);
  return copy;
}
