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
  readonly validators: ContextCompilers<ValidatorCompiler, BuiltValidator>;
  readonly serializers: ContextCompilers<SerializerCompiler, BuiltSerializer>;
  readonly #parent: SchemaRegistry | undefined;
  #factories: CompilerFactories;
  #controller: SchemaControllerOptions | undefined;
  #bucket: SchemaBucket | undefined;
  readonly #own = new Map<string, JsonSchema>();
  #visible: SharedSchemas | undefined;

  constructor(
    factories: CompilerFactories,
    controller: SchemaControllerOptions | undefined,
    parent?: SchemaRegistry,
  ) {
    this.#parent = parent;
    this.#controller = controller;
    this.#factories = factories;
    this.validators = new ContextCompilers(parent?.validators, {
      owner: () => this.#owner().validators,
      hasFactory: () => Boolean(this.#controller?.compilersFactory?.buildValidator),
      build: () => this.#factories.buildValidator(this.visible, this.#factories.ajvOptions),
    });
    this.serializers = new ContextCompilers(parent?.serializers, {
      owner: () => this.#owner().serializers,
      hasFactory: () => Boolean(this.#controller?.compilersFactory?.buildSerializer),
      build: () => this.#factories.buildSerializer(this.visible, this.#factories.serializerOptions),
    });
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
    const { buildValidator, buildSerializer } = controller.compilersFactory ?? {};
    if (buildValidator) this.validators.custom = this.#parent?.validators.inherited;
    if (buildSerializer) this.serializers.custom = this.#parent?.serializers.inherited;
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
    const owner = this.#owner();
    if (owner !== this) return owner.visible;
    this.#visible ??= this.all() as SharedSchemas;
    return this.#visible;
  }

  /** The most distant ancestor that has the same visible schemas and factories: its compilers are used by all contexts in between. */
  #owner(): SchemaRegistry {
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

/** What the compilers of one kind need of the registry of their context. */
interface CompilerSource<Custom, Built extends Custom> {
  readonly owner: () => ContextCompilers<Custom, Built>;
  /** Whether the application sets the factory. */
  readonly hasFactory: () => boolean;
  readonly build: () => Built;
}

/** The compilers of one kind in one context: the one that the application has set, and the one that is built for the visible schemas. */
class ContextCompilers<Custom, Built extends Custom> {
  /** Set here, or above before this context was opened. */
  custom: Custom | undefined;
  readonly #parent: ContextCompilers<Custom, Built> | undefined;
  readonly #source: CompilerSource<Custom, Built>;
  #built: Built | undefined;

  constructor(parent: ContextCompilers<Custom, Built> | undefined, source: CompilerSource<Custom, Built>) {
    this.custom = parent?.inherited;
    this.#parent = parent;
    this.#source = source;
  }

  /** The one that was set here or above, if any: contexts that are opened from now on inherit it. */
  get inherited(): Custom | undefined {
    return this.custom ?? this.#parent?.inherited;
  }

  /** The one that is used here: it was set, or it was built for a route; `undefined` if there is none yet. */
  get current(): Custom | undefined {
    return this.custom ?? this.#source.owner().#built ?? this.inherited;
  }

  /** Whether the application sets the one that is used here. Schemas may then be of another kind than JSON Schema. */
  get isCustom(): boolean {
    return this.custom !== undefined || this.#source.hasFactory();
  }

  /** Returns the one to use here: it was set, or is built for the visible schemas, for all contexts that have the same. */
  resolve(): Custom | Built {
    return this.custom ?? this.#source.owner().#build();
  }

  #build(): Built {
    this.#built ??= this.#source.build();
    return this.#built;
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
