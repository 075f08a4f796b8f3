/**
 * Converts schemas of routes to JSON Schema 2020-12, the dialect of OpenAPI 3.1. A schema that a reference refers to
 * becomes a component.
 */
import { copyJson, isObject, type Json, NotJson, setMember } from '../json.ts';
import { type Component, ComponentTable, componentPrefix } from './components.ts';
import { discriminatorMapping } from './discriminator.ts';
import { DynamicScope } from './dynamic-scope.ts';
import { kindOfKeyword, laterKeywords } from './keywords.ts';
import {
  baseOf,
  findReference,
  isDynamic,
  isIdentified,
  type Located,
  type SchemaRoot,
} from './references.ts';

/** The place of a schema: the root for its references, and a name in case it needs one. */
export interface SchemaPlace {
  readonly root: SchemaRoot;
  readonly base: string;
  readonly hint: string;
  /** The targets of `$dynamicRef`, which depend on the way to this place. */
  readonly dynamic: DynamicScope;
}

/** A schema of the document. */
export type DescribedSchema = Json | boolean;

/** Explains why a schema cannot be described, and where the fault is. */
export class SchemaProblem extends Error {
  readonly path: string;

  constructor(message: string, path: readonly (string | number)[]) {
    super(message);
    this.path = path.map((step) => `/${step}`).join('');
  }
}

export class SchemaDescriber {
  readonly components: ComponentTable;
  readonly #known = new Map<unknown, Map<SchemaRoot, Map<DynamicScope, Component>>>();
  readonly #pending: {
    readonly component: Component;
    readonly schema: unknown;
    readonly place: SchemaPlace;
  }[] = [];
  #path: (string | number)[] = [];
  readonly #outside = new DynamicScope();

  /** @param own The application's own components by name. */
  constructor(own: Readonly<Record<string, unknown>> = {}) {
    this.components = new ComponentTable(own);
  }

  /** @throws {SchemaProblem} */
  describeRoot(root: SchemaRoot, hint: string): DescribedSchema {
    const place = this.placeOf(root, hint);
    const described = this.describe(root.document, place, isIdentified(root.document) ? [] : undefined);
    // If a schema inside refers to the whole, the whole becomes a component and needs a name.
    const component = this.#known.get(root.document)?.get(root)?.get(place.dynamic);
    this.#describePending();
    return component === undefined ? described : this.#reference(component);
  }

  /** The place of a whole schema. */
  placeOf(root: SchemaRoot, hint: string): SchemaPlace {
    return { root, base: root.base, hint, dynamic: this.#outside.enter(root, root.base) };
  }

  /** The place of the target of a reference. @param from The place of the reference. */
  placeAt({ root, base }: Located, { hint, dynamic }: SchemaPlace): SchemaPlace {
    return { root, base, hint, dynamic: dynamic.enter(root, base) };
  }

  /**
   * Describes one schema of a root.
   *
   * @param path The place in the root, for errors. If it is given, a schema with an `$id` becomes a component.
   */
  describe(schema: unknown, place: SchemaPlace, path?: (string | number)[]): DescribedSchema {
    this.#path = path ?? [];
    const described =
      path === undefined ? this.#convertAt(schema, place) : this.#describeInner(schema, place);
    this.#describePending();
    return described;
  }

  /** The target of a reference. @throws {SchemaProblem} if the reference has no target. */
  follow(reference: unknown, place: SchemaPlace): Located {
    if (typeof reference !== 'string') throw new SchemaProblem('$ref must be a string', this.#path);
    const found = findReference(reference, place.root, place.base) ?? this.#findComponent(reference, place);
    if (found === undefined)
      throw new SchemaProblem(`$ref "${reference}" has no target that the route can see`, this.#path);
    return found;
  }

  /** The target of a reference in the form of OpenAPI: a component of the application, or a shared schema by its name. */
  #findComponent(reference: string, { root, base }: SchemaPlace): Located | undefined {
    if (!reference.startsWith(componentPrefix)) return undefined;
    const name = reference.slice(componentPrefix.length);
    const schema = this.components.ownSchema(name);
    if (schema === undefined) return findReference(name, root, base);
    return { schema, root, base, name, by: 'component' };
  }

  #describePending(): void {
    const path = this.#path;
    for (let next = this.#pending.shift(); next !== undefined; next = this.#pending.shift()) {
      this.#path = [next.component.name];
      next.component.schema = this.#convertAt(next.schema, next.place);
    }
    this.#path = path;
  }

  #reference(component: Component): Json {
    const reference: Json = {};
    this.components.refer(reference, '$ref', component);
    return reference;
  }

  /** @param from The place of the reference. */
  #componentOf(target: Located, from: SchemaPlace): Component {
    const { schema, root, name, by } = target;
    const place = this.placeAt(target, from);
    const byRoot = this.#known.get(schema) ?? new Map<SchemaRoot, Map<DynamicScope, Component>>();
    this.#known.set(schema, byRoot);
    const byScope = byRoot.get(root) ?? new Map<DynamicScope, Component>();
    byRoot.set(root, byScope);
    let component = byScope.get(place.dynamic);
    if (component === undefined) {
      const given = nameOf(schema, by === 'definition' ? name : '');
      const used = given ?? madeUpName(name, root, place.hint);
      component = this.components.add(used, given === undefined, root.side);
      byScope.set(place.dynamic, component);
      this.#pending.push({ component, schema, place });
    }
    return component;
  }

  /** Describes a schema below a keyword. If it has an identifier, it becomes a component. */
  #describeInner(schema: unknown, place: SchemaPlace): DescribedSchema {
    if (!isIdentified(schema)) return this.#convert(schema, place);
    const base = baseOf(schema, place.base);
    return this.#reference(this.#componentOf({ schema, root: place.root, base, name: '', by: 'id' }, place));
  }

  /** A schema below a keyword, which may have an `$id` of its own. */
  #convert(schema: unknown, around: SchemaPlace): DescribedSchema {
    const base = baseOf(schema, around.base);
    if (base === around.base) return this.#convertAt(schema, around);
    return this.#convertAt(schema, { ...around, base, dynamic: around.dynamic.enter(around.root, base) });
  }

  /** @param place The place of the schema itself, not of the one around it. */
  #convertAt(schema: unknown, place: SchemaPlace): DescribedSchema {
    if (typeof schema === 'boolean') return schema;
    if (!isObject(schema))
      throw new SchemaProblem(`a schema must be an object or a boolean, not ${kindOf(schema)}`, this.#path);
    const out: Json = {};
    for (const keyword of Object.keys(schema)) {
      const value = schema[keyword];
      if (value === undefined) continue;
      this.#path.push(keyword);
      this.#convertKeyword(out, keyword, value, schema, place);
      this.#path.pop();
    }
    if (isObject(schema.discriminator)) this.#mapDiscriminator(out, schema, place);
    return schema.nullable === true ? withNull(out) : out;
  }

  #convertKeyword(out: Json, keyword: string, value: unknown, schema: Json, place: SchemaPlace): void {
    switch (kindOfKeyword.get(keyword)) {
      case 'value':
        out[keyword] = typeof value === 'object' ? this.#copy(value) : this.#copyScalar(value);
        break;
      case 'schema':
        out[keyword] = this.#describeInner(value, place);
        break;
      case 'map':
        out[keyword] = this.#convertMap(value, place);
        break;
      case 'list':
        out[keyword] = [...((out[keyword] as Json[]) ?? []), ...this.#convertList(value, place)];
        break;
      case 'reference':
        this.#convertReference(out, value, place);
        break;
      case 'consumed':
        break;
      default:
        this.#convertOther(out, keyword, value, schema, place);
    }
  }

  /** Converts the keywords that differ between draft 7 and 2020-12. */
  #convertOther(out: Json, keyword: string, value: unknown, schema: Json, place: SchemaPlace): void {
    if (keyword === 'items') this.#convertItems(out, value, place);
    else if (keyword === 'definitions' || keyword === '$defs') this.#convertDefinitions(out, value, place);
    else if (keyword === 'dependencies') this.#convertDependencies(out, value, place);
    else if (keyword === 'additionalItems') this.#convertAdditionalItems(out, value, schema, place);
    else if (laterKeywords.has(keyword)) {
      if (place.root.dialect === '2020-12') this.#convertLater(out, keyword, value, place);
    } else if (keyword === '$merge' || keyword === '$patch') {
      throw new SchemaProblem(`"${keyword}" has no counterpart in OpenAPI`, this.#path);
    } else if (keyword === 'discriminator' || keyword.startsWith('x-')) out[keyword] = this.#copy(value);
    else out[`x-${keyword}`] = this.#copy(value);
  }

  #convertReference(out: Json, reference: unknown, place: SchemaPlace): void {
    this.#refer(out, this.follow(reference, place), place);
  }

  /** A document has no `$dynamicRef`: each of its schemas is described for the targets that it has there. */
  #convertDynamicReference(out: Json, reference: unknown, place: SchemaPlace): void {
    const first = this.follow(reference, place);
    const target = isDynamic(first) ? (place.dynamic.find(first.name) ?? first) : first;
    this.#refer(out, target, place);
  }

  #refer(out: Json, target: Located, place: SchemaPlace): void {
    if (target.by === 'component') out.$ref = componentPrefix + target.name;
    else if (typeof target.schema === 'boolean') {
      if (!target.schema) out.allOf = [...((out.allOf as Json[]) ?? []), { not: {} }];
    } else if (out.$ref === undefined) {
      this.components.refer(out, '$ref', this.#componentOf(target, place));
    } else {
      // The schema has a `$ref` and a `$dynamicRef`, but the document only has `$ref`.
      const reference = this.#reference(this.#componentOf(target, place));
      out.allOf = [...((out.allOf as Json[]) ?? []), reference];
    }
  }

  #convertMap(value: unknown, place: SchemaPlace): Json {
    if (!isObject(value)) throw new SchemaProblem(`must be an object, not ${kindOf(value)}`, this.#path);
    const out: Json = {};
    for (const name of Object.keys(value)) {
      const inner = value[name];
      if (inner === undefined) continue;
      setMember(out, name, this.#step(name, inner, place));
    }
    return out;
  }

  #convertList(value: unknown, place: SchemaPlace): DescribedSchema[] {
    if (!Array.isArray(value)) throw new SchemaProblem(`must be a list, not ${kindOf(value)}`, this.#path);
    return value.map((inner, i) => this.#step(i, inner, place));
  }

  #step(name: string | number, schema: unknown, place: SchemaPlace): DescribedSchema {
    this.#path.push(name);
    const described = this.#describeInner(schema, place);
    this.#path.pop();
    return described;
  }

  /** Definitions that a reference refers to become components. The others do not affect validation, but stay in `$defs`. */
  #convertDefinitions(out: Json, value: unknown, place: SchemaPlace): void {
    if (!isObject(value)) return;
    const unused = Object.entries(value).filter(([, inner]) => !this.#isReferred(inner, place));
    if (unused.length > 0)
      out.$defs = { ...(out.$defs as Json), ...this.#convertMap(Object.fromEntries(unused), place) };
  }

  #isReferred(definition: unknown, { root }: SchemaPlace): boolean {
    return referredIn(root).has(definition);
  }

  /** A list of schemas is a tuple, which 2020-12 calls `prefixItems`. */
  #convertItems(out: Json, value: unknown, place: SchemaPlace): void {
    if (Array.isArray(value)) {
      // 2020-12 does not allow an empty tuple.
      if (value.length > 0) out.prefixItems = this.#convertList(value, place);
    } else out.items = this.#describeInner(value, place);
  }

  #convertAdditionalItems(out: Json, value: unknown, { items }: Json, place: SchemaPlace): void {
    if (place.root.dialect === 'draft-07' && Array.isArray(items))
      out.items = this.#describeInner(value, place);
  }

  #convertDependencies(out: Json, value: unknown, place: SchemaPlace): void {
    // 2020-12 does not define `dependencies`, but Ajv still supports it.
    if (!isObject(value)) return;
    const required: Json = {};
    const schemas: Json = {};
    for (const [name, dependency] of Object.entries(value)) {
      if (Array.isArray(dependency)) setMember(required, name, this.#copy(dependency));
      else setMember(schemas, name, this.#step(name, dependency, place));
    }
    const described: Json = {};
    if (Object.keys(required).length > 0) described.dependentRequired = required;
    if (Object.keys(schemas).length > 0) described.dependentSchemas = schemas;
    if (place.root.dialect === 'draft-07') Object.assign(out, described);
    // The schema may already have the new keywords, so they go into `allOf`.
    else if (Object.keys(described).length > 0) out.allOf = [...((out.allOf as Json[]) ?? []), described];
  }

  #convertLater(out: Json, keyword: string, value: unknown, place: SchemaPlace): void {
    if (keyword === '$dynamicRef') this.#convertDynamicReference(out, value, place);
    else if (keyword === 'prefixItems') out[keyword] = this.#convertList(value, place);
    else if (keyword === 'dependentSchemas') out[keyword] = this.#convertMap(value, place);
    else if (keyword.startsWith('unevaluated')) out[keyword] = this.#describeInner(value, place);
    else out[keyword] = this.#copy(value);
  }

  /** Without a mapping, OpenAPI treats a value of the property as the name of a component. */
  #mapDiscriminator(out: Json, schema: Json, place: SchemaPlace): void {
    const mapping: Json = {};
    for (const { value, reference } of discriminatorMapping(schema, (ref) => this.follow(ref, place))) {
      const target = this.follow(reference, place);
      if (target.by === 'component') setMember(mapping, value, componentPrefix + target.name);
      else this.components.refer(mapping, value, this.#componentOf(target, place));
    }
    const { propertyName } = schema.discriminator as Json;
    out.discriminator = Object.keys(mapping).length > 0 ? { propertyName, mapping } : { propertyName };
  }

  #copyScalar(value: unknown): unknown {
    return typeof value === 'string' || typeof value === 'boolean' ? value : this.#copy(value);
  }

  #copy(value: unknown): unknown {
    try {
      return copyJson(value);
    } catch (error) {
      if (error instanceof NotJson) throw new SchemaProblem(error.message, this.#path);
      throw error;
    }
  }
}

/** Adds null to the accepted values, as Ajv does for `nullable`. If there is an `enum`, it must list null too. */
function withNull(schema: Json): Json {
  const { type } = schema;
  if (type === undefined) return { anyOf: [schema, { type: 'null' }] };
  const types = [type].flat();
  // The object itself is changed, because references in it are completed later.
  if (!types.includes('null')) schema.type = [...types, 'null'];
  return schema;
}

/** The name that the schema declares, or that its place suggests. */
function nameOf(schema: unknown, definition: string): string | undefined {
  const { $id, title } = schema as { $id?: unknown; title?: unknown };
  const heading = typeof title === 'string' && title.trim() !== '' ? title : undefined;
  if (typeof $id === 'string' && !$id.startsWith('#')) {
    const id = $id.replace(/#.*$/, '');
    const isUri = id.includes('://') || id.startsWith('urn:');
    if (!isUri) return id;
    return (
      heading ??
      id
        .replace(/[/:]+$/, '')
        .split(/[/:]/)
        .at(-1)!
        .replace(/(?:\.schema)?\.json$/, '')
    );
  }
  // Libraries give numbers to schemas without a name: `__schema0`.
  if (definition !== '' && !definition.startsWith('__')) return definition;
  return heading;
}

function madeUpName(name: string, { document }: SchemaRoot, hint: string): string {
  const owner = (isIdentified(document) ? nameOf(document, '') : undefined) ?? hint;
  return name === '' || name.startsWith('__') ? owner : `${owner}_${name.replace(/^#/, '')}`;
}

const referredCache = new WeakMap<object, ReadonlySet<unknown>>();

/** The schemas of a root that references inside it refer to. */
function referredIn(root: SchemaRoot): ReadonlySet<unknown> {
  const known = referredCache.get(root);
  if (known !== undefined) return known;
  const referred = new Set<unknown>();
  const walk = (value: unknown, base: string): void => {
    if (typeof value !== 'object' || value === null) return;
    const own = baseOf(value, base);
    const { $ref, $dynamicRef } = value as { $ref?: unknown; $dynamicRef?: unknown };
    for (const reference of [$ref, $dynamicRef])
      if (typeof reference === 'string') referred.add(findReference(reference, root, own)?.schema);
    for (const inner of Object.values(value)) walk(inner, own);
  };
  walk(root.document, root.base);
  referredCache.set(root, referred);
  return referred;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
