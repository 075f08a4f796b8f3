// Creates a value that is valid for a JSON Schema: an example that the schema names, or else one made from its keywords.
import {
  checkValue,
  followReference,
  isEqual,
  isSchemaObject,
  itemSchema,
  propertySchemas,
  typesOf,
} from './check-value.js';
import { textFor } from './pattern-text.js';

/** @import { Failure, SchemaObject } from './check-value.js' */

/** Stands for a value that could not be created. */
const nothing = Symbol('nothing');

/** Optional properties are left out below this depth, and after this many in one object. */
const maxOptionalDepth = 4;
const maxOptional = 40;
/** The depth after which nothing is created any more: a schema that requires itself has no end. */
const maxDepth = 24;
/** How many parts may be created for one sample, because alternatives multiply. */
const maxParts = 5_000;

/**
 * @typedef {object} Sample
 * @property {unknown} value
 * @property {Failure[]} failures What is wrong with the value: some schemas fit no value, or none that is found.
 */

/**
 * @param {unknown} schema A schema whose references are JSON Pointers into itself.
 * @param {unknown} [root] The schema that references point into.
 * @returns {Sample}
 */
export function sampleOf(schema, root = schema) {
  /** @type {Sample | undefined} */
  let best;
  for (const value of candidatesOf(schema, root)) {
    const failures = checkValue(schema, value, root);
    if (best === undefined || failures.length < best.failures.length) best = { value, failures };
    if (failures.length === 0) break;
  }
  return best ?? { value: null, failures: [{ path: '', message: 'no value fits this schema' }] };
}

/**
 * The examples that a schema names, in the order in which they are taken.
 *
 * @param {unknown} schema
 * @returns {unknown[]}
 */
export function examplesOf(schema) {
  if (!isSchemaObject(schema)) return [];
  return [
    ...(Array.isArray(schema.examples) ? schema.examples : []),
    ...('example' in schema ? [schema.example] : []),
    ...('default' in schema ? [schema.default] : []),
  ];
}

function* candidatesOf(/** @type {unknown} */ schema, /** @type {unknown} */ root) {
  yield* examplesOf(schema);
  for (const hasOptional of [true, false]) {
    const value = new Sampler(root, hasOptional).create(schema, 0, 0);
    if (value !== nothing) yield value;
  }
}

/** An address for samples. The page itself contains none of another host, which a test proves. */
const address = ['https:', '', 'example.com'].join('/');

/** Text for formats. @type {Record<string, string>} */
const formatTexts = {
  'date-time': '2026-01-31T12:00:00Z',
  date: '2026-01-31',
  time: '12:00:00Z',
  duration: 'P1D',
  email: 'ada@example.com',
  'idn-email': 'ada@example.com',
  hostname: 'example.com',
  'idn-hostname': 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: address,
  'uri-reference': '/path',
  'uri-template': '/notes/{id}',
  url: address,
  iri: address,
  'iri-reference': '/path',
  uuid: '3fa85f64-5717-4562-b3fc-2c963f66afa6',
  'json-pointer': '/name',
  'relative-json-pointer': '0/name',
  'json-pointer-uri-fragment': '#/name',
  regex: '^[a-z]+$',
  byte: 'dGV4dA==',
};

class Sampler {
  #root;
  #hasOptional;
  #parts = 0;

  /**
   * @param {unknown} root
   * @param {boolean} hasOptional Whether objects have their optional properties, and arrays an item.
   */
  constructor(root, hasOptional) {
    this.#root = root;
    this.#hasOptional = hasOptional;
  }

  /**
   * @param {unknown} schema
   * @param {number} depth
   * @param {number} salt Makes values differ: the index of an item in an array whose items must differ.
   * @returns {unknown} `nothing` if it cannot be created.
   */
  create(schema, depth, salt) {
    if (schema === false || depth > maxDepth || ++this.#parts > maxParts) return nothing;
    if (!isSchemaObject(schema)) return salt === 0 ? 'any value' : `any value ${salt}`;
    /** @type {unknown} */
    let first = nothing;
    for (const candidate of this.#candidates(schema, depth, salt)) {
      if (candidate === nothing) continue;
      if (first === nothing) first = candidate;
      if (checkValue(schema, candidate, this.#root).length === 0) return candidate;
    }
    return first;
  }

  /**
   * Values to try, the best first.
   *
   * @param {SchemaObject} schema
   * @param {number} depth
   * @param {number} salt
   * @returns {Generator<unknown>}
   */
  *#candidates(schema, depth, salt) {
    const own = ++this.#parts > maxParts ? undefined : this.#merged(schema, depth);
    if (own === undefined) return;
    const named = [
      ...examplesOf(own),
      ...('const' in own ? [own.const] : []),
      ...(Array.isArray(own.enum) ? own.enum : []),
    ];
    yield* named.slice(salt);
    yield* named.slice(0, salt);
    if ('const' in own || Array.isArray(own.enum)) return;
    for (const keyword of ['oneOf', 'anyOf']) {
      if (!Array.isArray(own[keyword])) continue;
      const { [keyword]: parts, ...rest } = own;
      // An alternative that is an object says more than `null`.
      const sorted = parts.toSorted(
        (/** @type {any} */ a, /** @type {any} */ b) => Number(isNull(a)) - Number(isNull(b)),
      );
      for (const part of sorted) yield* this.#candidates(merge(rest, part), depth + 1, salt);
      return;
    }
    for (const branch of [own.then, own.else]) {
      if (own.if === undefined || branch === undefined) continue;
      const { if: condition, then: _then, else: _else, ...rest } = own;
      const isThen = branch === own.then;
      yield* this.#candidates(merge(isThen ? merge(rest, condition) : rest, branch), depth + 1, salt);
    }
    for (const type of orderedTypes(own)) yield* this.#ofType(type, own, depth, salt);
  }

  /**
   * The schema with its references and `allOf` written into it; `undefined` if references have no end.
   *
   * @param {SchemaObject} schema
   * @param {number} depth
   * @returns {SchemaObject | undefined}
   */
  #merged(schema, depth) {
    if (depth > maxDepth) return undefined;
    const { $ref, allOf, ...own } = schema;
    const referenced = typeof $ref === 'string' ? [followReference(this.#root, $ref)] : [];
    return [...referenced, ...(Array.isArray(allOf) ? allOf : [])].reduce(
      (/** @type {SchemaObject | undefined} */ merged, part) => {
        if (merged === undefined || !isSchemaObject(part)) return part === false ? undefined : merged;
        const inner = this.#merged(part, depth + 1);
        return inner && merge(merged, inner);
      },
      own,
    );
  }

  /**
   * @param {string} type
   * @param {SchemaObject} schema
   * @param {number} depth
   * @param {number} salt
   * @returns {Generator<unknown>}
   */
  *#ofType(type, schema, depth, salt) {
    if (type === 'null') yield null;
    else if (type === 'boolean') yield* salt % 2 === 0 ? [true, false] : [false, true];
    else if (type === 'integer' || type === 'number') yield* numbers(schema, type === 'integer', salt);
    else if (type === 'string') yield* texts(schema, salt);
    else if (type === 'array') yield* this.#arrays(schema, depth);
    else if (type === 'object') yield* this.#objects(schema, depth, salt);
  }

  *#arrays(/** @type {SchemaObject} */ schema, /** @type {number} */ depth) {
    const { minItems = 0, maxItems = Number.POSITIVE_INFINITY, contains, minContains = 1 } = schema;
    const tuple = [schema.prefixItems, schema.items].find(Array.isArray) ?? [];
    const wanted = Math.max(
      minItems,
      tuple.length,
      contains === undefined ? 0 : minContains,
      depth < maxOptionalDepth ? 1 : 0,
    );
    for (const length of new Set([this.#hasOptional ? Math.min(wanted, maxItems) : minItems, minItems])) {
      if (length > 200) continue;
      /** @type {unknown[]} */
      const array = [];
      for (let i = 0; i < length; i++) {
        const own = itemSchema(schema, i);
        // The items that must be there come after those of the tuple.
        const isContained =
          contains !== undefined && i >= tuple.length && i < tuple.length + Math.max(minContains, 1);
        const part =
          isContained && isSchemaObject(contains) ? merge(isSchemaObject(own) ? own : {}, contains) : own;
        const item = this.create(part ?? true, depth + 1, schema.uniqueItems === true ? i : 0);
        if (item === nothing) break;
        array.push(item);
      }
      if (array.length >= minItems) yield array;
    }
  }

  /** @returns {Generator<unknown>} */
  *#objects(/** @type {SchemaObject} */ schema, /** @type {number} */ depth, /** @type {number} */ salt) {
    const { required, minProperties = 0, maxProperties = Number.POSITIVE_INFINITY } = schema;
    const needed = new Set(Array.isArray(required) ? required.map(String) : []);
    const declared = isSchemaObject(schema.properties) ? Object.keys(schema.properties) : [];
    /** @type {SchemaObject} */
    const object = {};
    const add = (/** @type {string} */ name) => {
      const parts = propertySchemas(schema, name);
      const part = parts.length === 1 ? (parts[0] ?? true) : { allOf: parts };
      const value = this.create(part, depth + 1, salt);
      if (value === nothing) return false;
      // Also for the name `__proto__`.
      Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
      for (const other of schema.dependentRequired?.[name] ?? [].concat(schema.dependencies?.[name] ?? []))
        if (typeof other === 'string' && !Object.hasOwn(object, other)) add(other);
      return true;
    };
    for (const name of [...declared, ...needed].filter((each) => needed.has(each)))
      if (!Object.hasOwn(object, name) && !add(name)) return;
    const isShallow = this.#hasOptional && depth < maxOptionalDepth;
    const optional = declared.filter((each) => !needed.has(each) && each !== '__proto__');
    // What only the application writes comes last, if there have to be more properties.
    const isReadOnly = (/** @type {string} */ name) => Number(schema.properties[name]?.readOnly === true);
    for (const name of optional.sort((a, b) => isReadOnly(a) - isReadOnly(b))) {
      const count = Object.keys(object).length;
      if (count >= (isShallow ? Math.min(maxProperties, Math.max(needed.size, maxOptional)) : minProperties))
        break;
      if (isReadOnly(name) === 0 || count < minProperties) add(name);
    }
    for (const name of otherNames(schema)) {
      if (Object.keys(object).length >= minProperties) break;
      if (
        !Object.hasOwn(object, name) &&
        checkValue(schema.propertyNames ?? true, name, this.#root).length === 0
      )
        add(name);
    }
    for (const [name, part] of Object.entries({ ...schema.dependencies, ...schema.dependentSchemas })) {
      if (!Object.hasOwn(object, name) || !isSchemaObject(part)) continue;
      yield* this.#objects(merge(withoutDependency(schema, name), part), depth + 1, salt);
    }
    yield object;
  }
}

/** A schema without what it demands if there is a property of this name. */
function withoutDependency(/** @type {SchemaObject} */ schema, /** @type {string} */ name) {
  const without = (/** @type {SchemaObject} */ { [name]: _, ...others } = {}) => others;
  const { dependencies, dependentSchemas } = schema;
  return { ...schema, dependencies: without(dependencies), dependentSchemas: without(dependentSchemas) };
}

/** Names for properties that a schema does not declare. */
function otherNames(/** @type {SchemaObject} */ { patternProperties, propertyNames, minProperties = 0 }) {
  const patterns = [
    ...Object.keys(patternProperties ?? {}),
    ...(propertyNames?.pattern ? [propertyNames.pattern] : []),
  ];
  const lengths = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((minLength) => ({ minLength }));
  const matching = patterns.flatMap((pattern) => lengths.map((limits) => textFor(pattern, limits)));
  const plain = Array.from({ length: Math.min(minProperties, 200) }, (_, i) => `property${i + 1}`);
  return [...new Set([...(propertyNames?.enum ?? []), ...matching, ...plain])].filter(
    (name) => typeof name === 'string',
  );
}

/** Types in the order in which they are tried. Without `type`, the keywords say what is meant. */
function orderedTypes(/** @type {SchemaObject} */ schema) {
  const types = typesOf(schema);
  if (types.length > 0)
    return [...types.filter((type) => type !== 'null'), ...types.filter((type) => type === 'null')];
  const has = (/** @type {string[]} */ ...names) => names.some((name) => name in schema);
  const all = ['string', 'integer', 'object', 'array', 'boolean', 'null'];
  const meant = has('properties', 'required', 'additionalProperties', 'patternProperties', 'minProperties')
    ? 'object'
    : has('items', 'prefixItems', 'minItems', 'contains')
      ? 'array'
      : has('minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf')
        ? 'number'
        : 'string';
  return [meant, ...all.filter((type) => type !== meant)];
}

/** Numbers that may be valid: 1 if it is, else the nearest to the limits. */
function* numbers(
  /** @type {SchemaObject} */ schema,
  /** @type {boolean} */ isInteger,
  /** @type {number} */ salt,
) {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const step = typeof multipleOf === 'number' && multipleOf > 0 ? multipleOf : isInteger ? 1 : undefined;
  const lower = Math.max(
    ...[minimum, exclusiveMinimum].map((limit) =>
      typeof limit === 'number' ? limit : Number.NEGATIVE_INFINITY,
    ),
  );
  const upper = Math.min(
    ...[maximum, exclusiveMaximum].map((limit) =>
      typeof limit === 'number' ? limit : Number.POSITIVE_INFINITY,
    ),
  );
  const start = 1 + salt;
  const inside =
    Number.isFinite(lower) && Number.isFinite(upper) ? lower + (upper - lower) / (2 + salt) : start;
  const bases = [start, lower + salt, upper - salt, inside, 0, -start].filter(Number.isFinite);
  for (const base of bases) {
    if (step === undefined) yield* [base, base + 0.5, base - 0.5];
    else {
      const factor = Math.ceil(base / step);
      for (const by of [0, 1, -1, salt, -salt]) {
        const value = (factor + by) * step;
        yield isInteger && !Number.isInteger(value)
          ? Math.round(value / step) * step * integerFactor(step)
          : value;
      }
    }
  }
}

/** How often a step such as 0.25 is taken until the sum is a whole number. */
function integerFactor(/** @type {number} */ step) {
  for (let factor = 1; factor <= 1_000; factor++) if (Number.isInteger(step * factor)) return factor;
  return 1;
}

/** Text that may be valid: of the format, for the pattern, or as long as it has to be. */
function* texts(/** @type {SchemaObject} */ schema, /** @type {number} */ salt) {
  const { format, pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema;
  const ending = salt === 0 ? '' : String(salt);
  if (typeof format === 'string' && Object.hasOwn(formatTexts, format)) {
    const text = formatTexts[format] ?? '';
    yield salt === 0 ? text : text.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + salt) % 10));
    yield `${text}${ending}`;
    if (format === 'email') yield `${'a'.repeat(Math.max(1, Math.min(64, minLength - 12)))}@example.com`;
    yield 'a@b.c';
  }
  if (typeof pattern === 'string') {
    yield textFor(pattern, { minLength: Math.max(minLength, salt), maxLength }) ?? nothing;
    yield textFor(pattern, { minLength, maxLength }) ?? nothing;
  }
  if (minLength > 10_000) return;
  const text = `${'text'.slice(0, Math.max(0, maxLength - ending.length))}${ending}`;
  yield text.length < minLength ? text.padEnd(minLength, ' text') : text;
  yield 'a'.repeat(minLength);
}

/** Combines two schemas that both apply. What cannot be combined is left to the second. */
function merge(/** @type {SchemaObject} */ one, /** @type {unknown} */ other) {
  if (!isSchemaObject(other)) return one;
  /** @type {SchemaObject} */
  const merged = { ...one };
  for (const [key, value] of Object.entries(other)) {
    const known = Object.hasOwn(one, key) ? one[key] : undefined;
    merged[key] = known === undefined ? value : combine(key, known, value);
  }
  return merged;
}

function combine(/** @type {string} */ key, /** @type {any} */ one, /** @type {any} */ other) {
  if (isEqual(one, other)) return one;
  if (/^(?:minimum|exclusiveMinimum|minLength|minItems|minProperties|minContains)$/.test(key))
    return Math.max(one, other);
  if (/^(?:maximum|exclusiveMaximum|maxLength|maxItems|maxProperties|maxContains)$/.test(key))
    return Math.min(one, other);
  if (key === 'required') return [...new Set([...one, ...other])];
  if (key === 'allOf') return [...one, ...other];
  if (key === 'enum')
    return one.filter((/** @type {unknown} */ item) =>
      other.some((/** @type {unknown} */ allowed) => isEqual(item, allowed)),
    );
  if (key === 'type') {
    const types = [other].flat();
    const both = [one]
      .flat()
      .filter((type) => types.includes(type) || (type === 'integer' && types.includes('number')));
    const narrowed = both.length === 0 && types.includes('integer') ? ['integer'] : both;
    return narrowed.length === 0 ? other : narrowed;
  }
  if (
    /^(?:properties|patternProperties|dependentRequired|dependentSchemas)$/.test(key) &&
    isSchemaObject(one)
  ) {
    const names = new Set([...Object.keys(one), ...Object.keys(other)]);
    return Object.fromEntries(
      [...names].map((name) => {
        const has = [one, other].filter((part) => Object.hasOwn(part, name)).map((part) => part[name]);
        return [name, has.length === 1 ? has[0] : { allOf: has }];
      }),
    );
  }
  return other;
}

function isNull(/** @type {unknown} */ schema) {
  return isSchemaObject(schema) && schema.type === 'null';
}
