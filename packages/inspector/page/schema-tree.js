// Shows a schema as people read it: the properties with their types and limits, one below the other.
import { followReference, isSchemaObject, typesOf } from './check-value.js';
import { h } from './dom.js';

/** @import { SchemaObject } from './check-value.js' */

/** How many properties are shown at once; a button shows the rest. */
const maxProperties = 60;
/** The levels that are open at first. */
const openLevels = 2;
/** Deeper levels are created when they are opened. */
const maxLevels = 40;

/**
 * @param {unknown} schema A schema whose references are JSON Pointers into itself.
 * @param {string} label For screen readers.
 */
export function schemaTree(schema, label) {
  return h('div.schema-tree', { role: 'group', 'aria-label': label }, node(schema, schema, 0));
}

/**
 * The type in words: `string`, `array of integer`, `one of 3 values`.
 *
 * @param {unknown} schema
 * @returns {string}
 */
export function typeText(schema) {
  if (schema === false) return 'never';
  if (!isSchemaObject(schema)) return typeof schema === 'string' ? schema : 'any value';
  const { $ref, items, format, oneOf, anyOf } = schema;
  if (typeof $ref === 'string')
    return $ref === '#' ? 'the whole schema again' : `again ${$ref.replace(/^#\//, '')}`;
  const types = typesOf(schema);
  const [choices] = [oneOf, anyOf].filter(Array.isArray);
  if (types.length === 0 && choices !== undefined) {
    const names = [...new Set(choices.map(typeText))];
    return names.length <= 3 ? names.join(' or ') : `one of ${choices.length} kinds`;
  }
  if (types.length === 0)
    return isSchemaObject(schema.properties) ? 'object' : items === undefined ? '' : 'array';
  const written = types.map((type) => {
    if (type === 'string' && format === 'binary') return 'file';
    if (type === 'string' && typeof format === 'string') return format;
    return type === 'array' && isSchemaObject(items) && typeText(items) !== ''
      ? `array of ${typeText(items)}`
      : type;
  });
  return written.join(' or ');
}

/**
 * The limits in words: `1 to 40 characters`, `>= 1`.
 *
 * @param {SchemaObject} schema
 * @returns {string[]}
 */
export function constraintsOf(schema) {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, pattern, uniqueItems } = schema;
  const texts = [
    range(minimum, maximum, ''),
    typeof exclusiveMinimum === 'number' && `> ${exclusiveMinimum}`,
    typeof exclusiveMaximum === 'number' && `< ${exclusiveMaximum}`,
    multipleOf !== undefined && `a multiple of ${multipleOf}`,
    range(schema.minLength, schema.maxLength, 'character'),
    range(schema.minItems, schema.maxItems, 'item'),
    range(schema.minProperties, schema.maxProperties, 'property'),
    uniqueItems === true && 'all different',
    typeof pattern === 'string' && `matches ${shorten(pattern, 60)}`,
    typeof schema.contentMediaType === 'string' && schema.contentMediaType,
    schema.additionalProperties === false && isSchemaObject(schema.properties) && 'no other properties',
    schema.readOnly === true && 'read only',
    schema.writeOnly === true && 'write only',
    schema.deprecated === true && 'deprecated',
  ];
  return texts.filter((text) => typeof text === 'string' && text !== '').map(String);
}

function range(/** @type {unknown} */ min, /** @type {unknown} */ max, /** @type {string} */ noun) {
  const plural = noun === 'property' ? 'properties' : `${noun}s`;
  const unit = noun === '' ? '' : ` ${(max ?? min) === 1 ? noun : plural}`;
  if (min === undefined && max === undefined) return '';
  if (min === undefined) return noun === '' ? `<= ${max}` : `at most ${max}${unit}`;
  if (max === undefined) return noun === '' ? `>= ${min}` : min === 0 ? '' : `at least ${min}${unit}`;
  return min === max ? `${min}${unit}` : `${min} to ${max}${unit}`;
}

function shorten(/** @type {string} */ text, /** @type {number} */ length) {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

/** What is inside a schema. @returns {(Node | false)[]} */
function node(/** @type {unknown} */ schema, /** @type {unknown} */ root, /** @type {number} */ level) {
  if (!isSchemaObject(schema)) return [h('p.quiet', {}, typeText(schema))];
  const own = membersOf(schema);
  const facts = level === 0 ? [factsOf(schema)] : [];
  return own.length === 0 ? facts : [...facts, rows(own, root, level)];
}

/**
 * @typedef {object} Member
 * @property {string} name
 * @property {unknown} schema
 * @property {boolean} isRequired
 * @property {'property' | 'part'} kind A part is an alternative, an item, or what is left over.
 */

/** @returns {Member[]} */
function membersOf(/** @type {SchemaObject} */ schema) {
  const { properties, required, patternProperties, additionalProperties, items, prefixItems, allOf, not } =
    schema;
  const needed = Array.isArray(required) ? required : [];
  /** @type {(name: string, part: unknown) => Member} */
  const part = (name, inner) => ({ name, schema: inner, isRequired: false, kind: 'part' });
  const list = (/** @type {string} */ name, /** @type {unknown} */ parts) =>
    (Array.isArray(parts) ? parts : []).map((inner, i) => part(`${name} ${i + 1}`, inner));
  const tuple = [prefixItems, items].find(Array.isArray);
  return [
    ...Object.entries(isSchemaObject(properties) ? properties : {}).map(
      /** @returns {Member} */ ([name, inner]) => ({
        name,
        schema: inner,
        isRequired: needed.includes(name),
        kind: 'property',
      }),
    ),
    ...Object.entries(isSchemaObject(patternProperties) ? patternProperties : {}).map(([name, inner]) =>
      part(`names that match ${shorten(name, 40)}`, inner),
    ),
    ...(isSchemaObject(additionalProperties) ? [part('any other name', additionalProperties)] : []),
    ...list('item', tuple),
    // The properties of the items are shown at once.
    ...(isSchemaObject(items) ? (hasMembers(items) ? [part('each item', items)] : []) : []),
    ...list('all of: part', allOf),
    ...list('either: kind', schema.oneOf ?? schema.anyOf),
    ...(schema.if === undefined ? [] : [part('if', schema.if)]),
    ...(schema.then === undefined ? [] : [part('then', schema.then)]),
    ...(schema.else === undefined ? [] : [part('else', schema.else)]),
    ...(not === undefined ? [] : [part('but not', not)]),
  ];
}

function hasMembers(/** @type {unknown} */ schema) {
  return isSchemaObject(schema) && membersOf(schema).length > 0;
}

function rows(/** @type {Member[]} */ members, /** @type {unknown} */ root, /** @type {number} */ level) {
  const list = h(
    'ul.schema-members',
    {},
    members.slice(0, maxProperties).map((member) => row(member, root, level)),
  );
  const rest = members.slice(maxProperties);
  if (rest.length === 0) return list;
  const more = h('button.quiet', {
    type: 'button',
    textContent: `Show ${rest.length} more`,
    on: {
      click: () => {
        more.replaceWith();
        list.append(...rest.map((member) => row(member, root, level)));
        /** @type {HTMLElement | null} */ (
          list.children[maxProperties]?.querySelector('summary, .schema-row')
        )?.focus();
      },
    },
  });
  return h('div', {}, list, more);
}

function row(
  /** @type {Member} */ { name, schema, isRequired, kind },
  /** @type {unknown} */ root,
  /** @type {number} */ level,
) {
  const target =
    isSchemaObject(schema) && typeof schema.$ref === 'string'
      ? followReference(root, schema.$ref)
      : undefined;
  const head = [
    h(`span.schema-name.is-${kind}`, {}, name),
    isRequired && h('span.field-required', { title: 'required' }, '*'),
    factsOf(schema, target !== undefined),
  ];
  const text = isSchemaObject(schema) && typeof schema.description === 'string' ? schema.description : '';
  const about = text !== '' && h('p.schema-text', {}, text);
  // What a reference repeats is not shown again: it may have no end.
  if (!hasMembers(schema) || level >= maxLevels) return h('li', {}, h('div.schema-row', {}, head), about);
  const isOpen = level + 1 < openLevels;
  const create = () => node(schema, root, level + 1);
  const details = h(
    'details.schema-inside',
    { open: isOpen },
    h('summary.schema-row', {}, head),
    about,
    isOpen && create(),
  );
  let isCreated = isOpen;
  details.addEventListener('toggle', () => {
    if (!details.open || isCreated) return;
    isCreated = true;
    details.append(...create().filter((child) => child !== false));
  });
  return h('li', {}, details);
}

/** The type, the limits, the values and the default of a schema. */
function factsOf(/** @type {unknown} */ schema, isAgain = false) {
  if (!isSchemaObject(schema)) return h('span.schema-facts', {}, typeText(schema));
  const comment = /^shared schema (.+)$/s.exec(
    typeof schema.$comment === 'string' ? schema.$comment : '',
  )?.[1];
  const values = 'const' in schema ? [schema.const] : Array.isArray(schema.enum) ? schema.enum : [];
  const texts = values.slice(0, 12).map((value) => shorten(JSON.stringify(value) ?? '', 40));
  return h(
    'span.schema-facts',
    {},
    h(isAgain ? 'span.schema-type.is-again' : 'span.schema-type', {}, typeText(schema)),
    comment && h('span.tag', { title: 'the shared schema' }, comment),
    typeof schema.title === 'string' && schema.title !== '' && h('span.schema-title', {}, schema.title),
    constraintsOf(schema).map((text) => h('span.schema-limit', {}, text)),
    texts.map((text) => h('code.schema-value', {}, text)),
    values.length > texts.length &&
      h('span.schema-limit', {}, `and ${values.length - texts.length} more values`),
    'default' in schema &&
      h(
        'span.schema-limit',
        {},
        'default ',
        h('code.schema-value', {}, shorten(JSON.stringify(schema.default) ?? '', 40)),
      ),
  );
}
