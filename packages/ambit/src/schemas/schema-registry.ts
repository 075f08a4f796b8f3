/** Owns the shared schemas of a context (specification 4.1) and the compilers that resolve `$ref` among them. */
import { createRequire } from 'node:module';
import { lazyModule } from '../shared/lazy-module.ts';
import { isPlainObject } from '../shared/values.ts';
import type {
  AjvOptions,
  JsonSchema,
  SchemaBucket,
  SchemaControllerOptions,
  SerializerFunction,
  SerializerOptions,
  SerializerRequest,
  SharedSchemas,
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

/** The compilers of both kinds: those that an application sets, and those that are built. */
interface Compilers {
  validator: ContentCompiler<ValidatorRequest, ValidatorFunction>;
  serializer: ContentCompiler<SerializerRequest, SerializerFunction>;
}
type CompilerKind = keyof Compilers;

/** The functions that build the compilers of contexts that set none themselves. */
type Factories = { readonly [Kind in CompilerKind]: (shared: SharedSchemas) => Compilers[Kind] };
export interface CompilerFactories extends Factories {
  /** The options are passed to the functions of applications. */
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
  readonly #custom: { [Kind in CompilerKind]: Compilers[Kind] | undefined };
  readonly #built: { [Kind in CompilerKind]?: Compilers[Kind] } = {};
  #visible: SharedSchemas | undefined;

  constructor(
    factories: CompilerFactories,
    controller: SchemaControllerOptions | undefined,
    parent?: SchemaRegistry,
  ) {
    this.#parent = parent;
    this.#custom = {
      validator: parent?.inheritedCompiler('validator'),
      serializer: parent?.inheritedCompiler('serializer'),
    };
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
    const { buildValidator, buildSerializer } = controller.compilersFactory ?? {};
    if (buildValidator) this.#custom.validator = this.#parent?.inheritedCompiler('validator');
    if (buildSerializer) this.#custom.serializer = this.#parent?.inheritedCompiler('serializer');
  }

  #applyFactories(controller: SchemaControllerOptions | undefined): void {
    const { buildValidator, buildSerializer } = controller?.compilersFactory || {};
    if (!buildValidator && !buildSerializer) return;
    const { ajvOptions, serializerOptions } = this.#factories;
    this.#factories = {
      ...this.#factories,
      ...(buildValidator && { validator: (shared) => buildValidator(shared, ajvOptions) }),
      // The cast: schemas that handlers compile themselves have no status, but published compilers do not read it.
      ...(buildSerializer && {
        serializer: (shared) => buildSerializer(shared, serializerOptions) as Compilers['serializer'],
      }),
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
    const owner = this.#compilerOwner();
    if (owner !== this) return owner.visible;
    this.#visible ??= this.all() as SharedSchemas;
    return this.#visible;
  }

  setCompiler<Kind extends CompilerKind>(kind: Kind, compiler: Compilers[Kind]): void {
    this.#custom[kind] = compiler;
  }

  /** The compiler that was set here or above, if any: contexts that are opened from now on inherit it. */
  inheritedCompiler<Kind extends CompilerKind>(kind: Kind): Compilers[Kind] | undefined {
    return this.#custom[kind] ?? this.#parent?.inheritedCompiler(kind);
  }

  /** The compiler that is used here: one that was set, or one that was built for a route; `undefined` if there is none yet. */
  currentCompiler<Kind extends CompilerKind>(kind: Kind): Compilers[Kind] | undefined {
    return this.#custom[kind] ?? this.#compilerOwner().#built[kind] ?? this.inheritedCompiler(kind);
  }

  /** Whether the application sets the compiler that is used here. Schemas may then be of another kind than JSON Schema. */
  hasCustomCompiler(kind: CompilerKind): boolean {
    const { buildValidator, buildSerializer } = this.#controller?.compilersFactory || {};
    const factory = kind === 'validator' ? buildValidator : buildSerializer;
    return this.#custom[kind] !== undefined || Boolean(factory);
  }

  /**
   * Returns the compiler to use here: the one that was set, or one built for the visible schemas, which contexts with the same schemas
   * share.
   */
  resolve<Kind extends CompilerKind>(kind: Kind): Compilers[Kind] {
    const custom: Compilers[Kind] | undefined = this.#custom[kind];
    if (custom !== undefined) return custom;
    const owner = this.#compilerOwner();
    const factories: Factories = owner.#factories;
    const compiler: Compilers[Kind] = owner.#built[kind] ?? factories[kind](owner.visible);
    owner.#built[kind] = compiler;
    return compiler;
  }

  /** The most distant ancestor that has the same visible schemas and factories: its compilers are used by all contexts in between. */
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
