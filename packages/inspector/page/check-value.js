// Compares a value with a JSON Schema, so that a form can say what is wrong while one types. The application has the last word: formats and
// keywords that only it knows count as fulfilled.

/** @typedef {{ path: string, message: string }} Failure `path` is a JSON Pointer into the value. */
/** @typedef {Record<string, any>} SchemaObject */

/** The depth of references and values after which a schema counts as fulfilled. */
const maxDepth = 60;
/** After this many failures, the rest is not looked for. */
const maxFailures = 100;

/**
 * @param {unknown} schema A schema whose references are JSON Pointers into `root`.
 * @param {unknown} value
 * @param {unknown} [root] The schema that references point into.
 * @returns {Failure[]} What is wrong with the value; empty if it is valid.
 */
export function checkValue(schema, value, root = schema) {
  const check = new Check(root);
  check.visit(schema, value, '', 0);
  return check.failures;
}

/**
 * The schema that a JSON Pointer such as `#/properties/child` refers to.
 *
 * @param {unknown} root
 * @param {string} reference
 * @returns {unknown} `undefined` if there is none.
 */
export function followReference(root, reference) {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined;
  /** @type {any} */
  let at = root;
  for (const step of reference.split('/').slice(1)) {
    const name = decodeStep(step);
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = at[name];
  }
  return at;
}

/**
 * The name that a step of a JSON Pointer stands for.
 *
 * @param {string} step
 */
export function decodeStep(step) {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return step;
  }
}

/**
 * @param {string} pointer
 * @param {string | number} name
 */
export function pointerTo(pointer, name) {
  return `${pointer}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/**
 * The type of a value in JSON: `integer` for a number without a fraction.
 *
 * @param {unknown} value
 */
export function typeOf(value) {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

/**
 * The types that a schema allows; empty if it allows all.
 *
 * @param {SchemaObject} schema
 * @returns {string[]}
 */
export function typesOf(schema) {
  const types = [schema.type].flat().filter((type) => typeof type === 'string');
  return types.length > 0 && schema.nullable === true && !types.includes('null') ? [...types, 'null'] : types;
}

/**
 * @param {unknown} schema
 * @returns {schema is SchemaObject}
 */
export function isSchemaObject(schema) {
  return typeof schema === 'object' && schema !== null && !Array.isArray(schema);
}

/**
 * A regular expression as the application reads it: with the flag `u`, or without if it is not valid then.
 *
 * @param {unknown} pattern
 * @returns {RegExp | undefined} `undefined` if it is not valid.
 */
export function patternOf(pattern) {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(String(pattern), flags);
    } catch {
      // Without the flag, more is allowed.
    }
  }
  return undefined;
}

/** Formats that are text of one form. Others are not checked. @type {Record<string, RegExp>} */
const formats = {
  'date-time':
    /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[t ](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:z|[+-]\d\d(?::?\d\d)?)$/i,
  date: /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/,
  time: /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:z|[+-]\d\d(?::?\d\d)?)$/i,
  email: /^[^\s@]+@[^\s@]+$/,
  uuid: /^(?:urn:uuid:)?[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i,
  uri: /^[a-z][a-z\d+.-]*:\S+$/i,
  ipv4: /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.|$)){4}$/,
  ipv6: /^[\da-f:.]*:[\da-f:.]*$/i,
  hostname: /^(?!-)[a-z\d-]{1,63}(?:\.[a-z\d-]{1,63})*$/i,
};

class Check {
  /** @type {Failure[]} */
  failures = [];
  #root;

  /** @param {unknown} root */
  constructor(root) {
    this.#root = root;
  }

  /**
   * @param {unknown} schema
   * @param {unknown} value
   * @param {string} path
   * @param {number} depth
   */
  visit(schema, value, path, depth) {
    if (schema === false) this.#fail(path, 'must not be there');
    if (!isSchemaObject(schema) || depth > maxDepth || this.failures.length >= maxFailures) return;
    if (typeof schema.$ref === 'string')
      this.visit(followReference(this.#root, schema.$ref), value, path, depth + 1);
    const types = typesOf(schema);
    const type = typeOf(value);
    if (types.length > 0 && !types.includes(type) && !(type === 'integer' && types.includes('number'))) {
      this.#fail(path, `must be ${types.map(withArticle).join(' or ')}`);
      return;
    }
    if ('const' in schema && !isEqual(schema.const, value))
      this.#fail(path, `must be ${JSON.stringify(schema.const)}`);
    if (Array.isArray(schema.enum) && !schema.enum.some((allowed) => isEqual(allowed, value)))
      this.#fail(
        path,
        `must be one of ${shorten(schema.enum.map((item) => JSON.stringify(item)).join(', '))}`,
      );
    if (typeof value === 'number') this.#number(schema, value, path);
    else if (typeof value === 'string') this.#string(schema, value, path);
    else if (Array.isArray(value)) this.#array(schema, value, path, depth);
    else if (isSchemaObject(value)) this.#object(schema, value, path, depth);
    this.#choices(schema, value, path, depth);
  }

  #fail(/** @type {string} */ path, /** @type {string} */ message) {
    if (this.failures.length < maxFailures) this.failures.push({ path, message });
  }

  /**
   * @param {unknown} schema
   * @param {unknown} value
   * @param {number} depth
   */
  #isValid(schema, value, depth) {
    const check = new Check(this.#root);
    check.visit(schema, value, '', depth + 1);
    return check.failures.length === 0;
  }

  #number(/** @type {SchemaObject} */ schema, /** @type {number} */ value, /** @type {string} */ path) {
    const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
    if (typeof minimum === 'number' && (exclusiveMinimum === true ? value <= minimum : value < minimum))
      this.#fail(path, `must be ${exclusiveMinimum === true ? '>' : '>='} ${minimum}`);
    if (typeof maximum === 'number' && (exclusiveMaximum === true ? value >= maximum : value > maximum))
      this.#fail(path, `must be ${exclusiveMaximum === true ? '<' : '<='} ${maximum}`);
    if (typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum)
      this.#fail(path, `must be > ${exclusiveMinimum}`);
    if (typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum)
      this.#fail(path, `must be < ${exclusiveMaximum}`);
    if (typeof multipleOf === 'number' && !Number.isInteger(value / multipleOf))
      this.#fail(path, `must be a multiple of ${multipleOf}`);
  }

  #string(/** @type {SchemaObject} */ schema, /** @type {string} */ value, /** @type {string} */ path) {
    const { minLength, maxLength, pattern, format } = schema;
    const length = [...value].length;
    if (length < minLength) this.#fail(path, `must have at least ${characters(minLength)}`);
    if (length > maxLength) this.#fail(path, `must have at most ${characters(maxLength)}`);
    if (pattern !== undefined && patternOf(pattern)?.test(value) === false)
      this.#fail(path, `must match ${shorten(pattern)}`);
    if (typeof format === 'string' && Object.hasOwn(formats, format) && !formats[format]?.test(value))
      this.#fail(path, `must have the format ${format}`);
  }

  #array(
    /** @type {SchemaObject} */ schema,
    /** @type {unknown[]} */ value,
    /** @type {string} */ path,
    /** @type {number} */ depth,
  ) {
    const { minItems, maxItems, uniqueItems, contains, minContains = 1, maxContains } = schema;
    if (value.length < minItems) this.#fail(path, `must have at least ${items(minItems)}`);
    if (value.length > maxItems) this.#fail(path, `must have at most ${items(maxItems)}`);
    if (
      uniqueItems === true &&
      value.some((item, i) => value.slice(0, i).some((other) => isEqual(other, item)))
    )
      this.#fail(path, 'must not have the same item twice');
    value.forEach((item, i) => {
      this.visit(itemSchema(schema, i), item, pointerTo(path, i), depth + 1);
    });
    if (contains === undefined) return;
    const matching = value.filter((item) => this.#isValid(contains, item, depth)).length;
    if (matching < minContains || matching > maxContains)
      this.#fail(path, `has ${items(matching)} of the kind that it must contain`);
  }

  #object(
    /** @type {SchemaObject} */ schema,
    /** @type {SchemaObject} */ value,
    /** @type {string} */ path,
    /** @type {number} */ depth,
  ) {
    const { required, minProperties, maxProperties, propertyNames } = schema;
    const names = Object.keys(value);
    for (const name of Array.isArray(required) ? required : [])
      if (!Object.hasOwn(value, name)) this.#fail(pointerTo(path, name), 'is required');
    if (names.length < minProperties) this.#fail(path, `must have at least ${minProperties} properties`);
    if (names.length > maxProperties) this.#fail(path, `must have at most ${maxProperties} properties`);
    for (const name of names) {
      for (const part of propertySchemas(schema, name))
        this.visit(part, value[name], pointerTo(path, name), depth + 1);
      if (propertyNames !== undefined && !this.#isValid(propertyNames, name, depth))
        this.#fail(pointerTo(path, name), 'has a name that is not allowed');
    }
    for (const [name, needed] of Object.entries({ ...schema.dependencies, ...schema.dependentRequired })) {
      if (!Object.hasOwn(value, name) || !Array.isArray(needed)) continue;
      for (const other of needed)
        if (!Object.hasOwn(value, other)) this.#fail(pointerTo(path, other), `is required with ${name}`);
    }
    for (const [name, part] of Object.entries({ ...schema.dependencies, ...schema.dependentSchemas }))
      if (Object.hasOwn(value, name) && !Array.isArray(part)) this.visit(part, value, path, depth + 1);
  }

  #choices(
    /** @type {SchemaObject} */ schema,
    /** @type {unknown} */ value,
    /** @type {string} */ path,
    /** @type {number} */ depth,
  ) {
    const { allOf, anyOf, oneOf, not } = schema;
    for (const part of Array.isArray(allOf) ? allOf : []) this.visit(part, value, path, depth + 1);
    if (Array.isArray(anyOf) && !anyOf.some((part) => this.#isValid(part, value, depth)))
      this.#failAsNearest(anyOf, value, path, depth);
    if (Array.isArray(oneOf)) {
      const matching = oneOf.filter((part) => this.#isValid(part, value, depth)).length;
      if (matching === 0) this.#failAsNearest(oneOf, value, path, depth);
      if (matching > 1) this.#fail(path, 'must be of one kind alone');
    }
    if (not !== undefined && this.#isValid(not, value, depth)) this.#fail(path, 'is not allowed');
    if (schema.if === undefined) return;
    const branch = this.#isValid(schema.if, value, depth) ? schema.then : schema.else;
    if (branch !== undefined) this.visit(branch, value, path, depth + 1);
  }

  /** Says what is wrong by the alternative that the value is nearest to. */
  #failAsNearest(
    /** @type {unknown[]} */ parts,
    /** @type {unknown} */ value,
    /** @type {string} */ path,
    /** @type {number} */ depth,
  ) {
    const all = parts.map((part) => {
      const check = new Check(this.#root);
      check.visit(part, value, path, depth + 1);
      return check.failures;
    });
    const deepest = (/** @type {Failure[]} */ failures) =>
      failures.filter((each) => each.path !== path).length;
    const [nearest = []] = all.sort((a, b) => deepest(b) - deepest(a) || a.length - b.length);
    if (parts.length === 1 || deepest(nearest) > 0)
      for (const failure of nearest) this.#fail(failure.path, failure.message);
    else this.#fail(path, `must be one of ${parts.length} kinds`);
  }
}

/**
 * The schema of an item of an array.
 *
 * @param {SchemaObject} schema
 * @param {number} index
 */
export function itemSchema(schema, index) {
  const { items: all, prefixItems, additionalItems } = schema;
  const tuple = Array.isArray(prefixItems) ? prefixItems : Array.isArray(all) ? all : [];
  if (index < tuple.length) return tuple[index];
  return Array.isArray(all) ? additionalItems : all;
}

/**
 * The schemas that apply to a property.
 *
 * @param {SchemaObject} schema
 * @param {string} name
 * @returns {unknown[]}
 */
export function propertySchemas({ properties, patternProperties, additionalProperties }, name) {
  const declared = isSchemaObject(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [];
  const patterns = Object.entries(patternProperties ?? {}).filter(([key]) => patternOf(key)?.test(name));
  const own = [...declared, ...patterns.map(([, part]) => part)];
  return own.length > 0 ? own : [additionalProperties];
}

/**
 * Whether two values of JSON are equal.
 *
 * @param {unknown} a
 * @param {unknown} b
 * @returns {boolean}
 */
export function isEqual(a, b) {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [one, other] = /** @type {[SchemaObject, SchemaObject]} */ ([a, b]);
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isEqual(one[name], other[name]))
  );
}

function withArticle(/** @type {string} */ type) {
  return type === 'null' ? type : /^[aio]/.test(type) ? `an ${type}` : `a ${type}`;
}

function characters(/** @type {number} */ number) {
  return number === 1 ? '1 character' : `${number} characters`;
}

function items(/** @type {number} */ number) {
  return number === 1 ? '1 item' : `${number} items`;
}

function shorten(/** @type {string} */ text) {
  return text.length > 120 ? `${text.slice(0, 120)} …` : text;
}
