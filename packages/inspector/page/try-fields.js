// Creates the fields of a form from a schema: a number, a choice, a date, a file, … They say what is wrong while one types.
import { checkValue, isSchemaObject, typesOf } from './check-value.js';
import { h } from './dom.js';
import { constraintsOf, typeText } from './schema-tree.js';

/** @import { Failure, SchemaObject } from './check-value.js' */

/** A longer text gets a text area. */
const maxLine = 200;
/** With more values, it is a text field. */
const maxChoices = 200;
/** Optional fields beyond this number are in a part that is closed at first. */
const maxFields = 12;

/**
 * A field. `read` returns its value: `undefined` if it is not sent, a `File`, or an array of files.
 *
 * @typedef {object} Field
 * @property {string} name
 * @property {HTMLElement} element
 * @property {boolean} isRequired
 * @property {() => { value?: unknown, problem?: string }} read `problem` says why there is no value.
 * @property {(value: unknown) => void} set
 * @property {(messages: readonly string[]) => void} showProblems Shows what the application says is wrong.
 * @property {() => void} focus
 */

/**
 * @typedef {object} FieldOptions
 * @property {string} name
 * @property {unknown} schema
 * @property {unknown} root The schema that references point into.
 * @property {boolean} isRequired
 * @property {() => void} onChange
 * @property {boolean} [acceptsFiles] Whether text of the format `binary` is a file: in forms.
 */

let fieldCount = 0;

/**
 * @param {FieldOptions} options
 * @returns {Field}
 */
export function createField({ name, schema, root, isRequired, onChange, acceptsFiles = false }) {
  const own = isSchemaObject(schema) ? schema : {};
  const id = `field-${++fieldCount}`;
  const control = controlFor(own, isRequired, acceptsFiles);
  const { input } = control;
  const problems = h('p.field-problem', { id: `${id}-problem`, 'aria-live': 'polite' });
  const facts = [typeText(own), ...constraintsOf(own)].filter(Boolean).join(', ');
  Object.assign(input, { id });
  input.setAttribute('aria-describedby', `${id}-problem`);
  if (isRequired) input.setAttribute('aria-required', 'true');

  function showProblems(/** @type {readonly string[]} */ messages) {
    problems.textContent = messages.join('; ');
    input.toggleAttribute('aria-invalid', false);
    if (messages.length > 0) input.setAttribute('aria-invalid', 'true');
  }

  function read() {
    const { value, problem } = control.read();
    if (problem !== undefined) return { problem };
    return value === undefined && isRequired && typesOf(own).includes('null') ? { value: null } : { value };
  }

  function check() {
    const { value, problem } = read();
    if (problem !== undefined) showProblems([problem]);
    else if (value === undefined) showProblems([]);
    else showProblems(describeFailures(isFile(value) ? [] : checkValue(schema, value, root)));
    onChange();
  }

  input.addEventListener('input', check);
  input.addEventListener('change', check);
  const element = h(
    'div.field',
    { 'data-name': name },
    h(
      'label',
      { htmlFor: id },
      h('span.field-name', {}, name),
      isRequired && h('span.field-required', { title: 'required' }, '*'),
      h('span.field-facts', {}, facts),
    ),
    input,
    typeof own.description === 'string' && own.description !== '' && h('p.field-text', {}, own.description),
    problems,
  );
  return {
    name,
    element,
    isRequired,
    read,
    set(value) {
      control.set(value);
      showProblems([]);
    },
    showProblems,
    focus: () => input.focus(),
  };
}

/** Failures as text. A path is written if it is not that of the value itself. */
export function describeFailures(/** @type {readonly Failure[]} */ failures, limit = 5) {
  const texts = failures.slice(0, limit).map(({ path, message }) => `${path} ${message}`.trim());
  return failures.length > limit ? [...texts, `and ${failures.length - limit} more`] : texts;
}

function isFile(/** @type {unknown} */ value) {
  return value instanceof Blob || (Array.isArray(value) && value[0] instanceof Blob);
}

/**
 * @typedef {object} Control
 * @property {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} input
 * @property {() => { value?: unknown, problem?: string }} read
 * @property {(value: unknown) => void} set
 */

/**
 * @param {SchemaObject} schema
 * @param {boolean} isRequired
 * @param {boolean} acceptsFiles
 * @returns {Control}
 */
function controlFor(schema, isRequired, acceptsFiles) {
  const choices = 'const' in schema ? [schema.const] : Array.isArray(schema.enum) ? schema.enum : [];
  if (choices.length > 0 && choices.length <= maxChoices) return choiceControl(choices, isRequired);
  const [type, ...others] = typesOf(schema).filter((each) => each !== 'null');
  if (acceptsFiles && isFileSchema(schema)) return fileControl(false);
  if (acceptsFiles && type === 'array' && isFileSchema(schema.items)) return fileControl(true);
  if (others.length > 0) return jsonControl(schema);
  if (type === 'boolean') return isRequired ? checkControl() : choiceControl([true, false], false);
  if (type === 'integer' || type === 'number') return numberControl(schema, type);
  if (type === 'string') return textControl(schema);
  return jsonControl(schema);
}

function isFileSchema(/** @type {unknown} */ schema) {
  return isSchemaObject(schema) && schema.type === 'string' && schema.format === 'binary';
}

/** @returns {Control} */
function choiceControl(/** @type {unknown[]} */ choices, /** @type {boolean} */ isRequired) {
  const labels = choices.map((choice) =>
    typeof choice === 'string' && choice !== '' ? choice : JSON.stringify(choice),
  );
  const input = h(
    'select',
    {},
    h('option', { value: '' }, isRequired ? 'choose …' : 'not sent'),
    labels.map((label, i) =>
      h('option', { value: i }, label.length > 80 ? `${label.slice(0, 80)} …` : label),
    ),
  );
  return {
    input,
    read: () => (input.value === '' ? {} : { value: choices[Number(input.value)] }),
    set(value) {
      const text = JSON.stringify(value);
      const index = choices.findIndex((choice) => JSON.stringify(choice) === text);
      input.value = index === -1 ? '' : String(index);
    },
  };
}

/** @returns {Control} */
function checkControl() {
  const input = h('input', { type: 'checkbox' });
  return {
    input,
    read: () => ({ value: input.checked }),
    set(value) {
      input.checked = value === true || value === 'true';
    },
  };
}

/** @returns {Control} */
function numberControl(
  /** @type {SchemaObject} */ { minimum, maximum, multipleOf },
  /** @type {string} */ type,
) {
  const step = typeof multipleOf === 'number' ? multipleOf : type === 'integer' ? 1 : 'any';
  const input = h('input', { type: 'number', step, min: minimum, max: maximum });
  return {
    input,
    read() {
      if (input.validity.badInput) return { problem: 'is not a number' };
      return input.value === '' ? {} : { value: Number(input.value) };
    },
    set(value) {
      input.value = value === undefined || value === null ? '' : String(value);
    },
  };
}

/** Types of fields for formats. @type {Record<string, string>} */
const inputTypes = { date: 'date', email: 'email', password: 'password' };

/** @returns {Control} */
function textControl(/** @type {SchemaObject} */ { format, maxLength, contentMediaType }) {
  const isLong = maxLength > maxLine || /^text\//.test(contentMediaType ?? '');
  const properties = { autocomplete: 'off', spellcheck: false };
  const input = isLong
    ? h('textarea', { rows: 4, ...properties })
    : h('input', { type: inputTypes[format] ?? 'text', ...properties });
  return {
    input,
    read: () => (input.value === '' ? {} : { value: input.value }),
    set(value) {
      const text =
        typeof value === 'string'
          ? value
          : value === undefined || value === null
            ? ''
            : JSON.stringify(value);
      // A line would lose the line breaks.
      input.value = isLong ? text : text.replace(/\s*\n\s*/g, ' ');
    },
  };
}

/** @returns {Control} */
function fileControl(/** @type {boolean} */ isMultiple) {
  const input = h('input', { type: 'file', multiple: isMultiple });
  return {
    input,
    read() {
      const files = [...(input.files ?? [])];
      if (files.length === 0) return {};
      return { value: isMultiple ? files : files[0] };
    },
    set() {},
  };
}

/** @returns {Control} */
function jsonControl(/** @type {SchemaObject} */ schema) {
  const input = h('textarea', { rows: 3, spellcheck: false, autocomplete: 'off' });
  const isText = typesOf(schema).includes('string');
  return {
    input,
    read() {
      if (input.value.trim() === '') return {};
      const { value, problem } = parseJson(input.value);
      // Where text is allowed, too, what is not JSON is text.
      return problem === undefined ? { value } : isText ? { value: input.value } : { problem };
    },
    set(value) {
      input.value = value === undefined ? '' : JSON.stringify(value, null, 2);
      input.rows = Math.min(12, Math.max(2, input.value.split('\n').length));
    },
  };
}

/**
 * @param {string} text
 * @returns {{ value?: unknown, problem?: string }}
 */
export function parseJson(text) {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const at = Number(/position (\d+)/.exec(message)?.[1]);
    const line =
      Number.isNaN(at) || /line \d+/.test(message) ? '' : ` (line ${text.slice(0, at).split('\n').length})`;
    return {
      problem: `is not JSON: ${message.replace(/^JSON\.parse: /, '').replace(/, ".*" is not valid JSON$/s, '')}${line}`,
    };
  }
}

/**
 * The required fields and the first optional ones; the rest are in a part that one opens.
 *
 * @param {readonly Field[]} fields
 */
export function folded(fields) {
  const shown = fields.filter(({ isRequired }, i) => isRequired || i < maxFields);
  const rest = fields.filter((field) => !shown.includes(field));
  return [
    shown.map(({ element }) => element),
    rest.length > 0 &&
      h(
        'details.fold-out',
        {},
        h('summary', {}, `${rest.length} more, all optional`),
        h(
          'div.fields',
          {},
          rest.map(({ element }) => element),
        ),
      ),
  ];
}

/**
 * The properties of a schema, with those of its `allOf`.
 *
 * @param {SchemaObject} schema
 * @returns {{ properties: Record<string, unknown>, required: string[] }}
 */
export function propertiesOf(schema) {
  const inner = (Array.isArray(schema.allOf) ? schema.allOf : []).filter(isSchemaObject).map(propertiesOf);
  const own = isSchemaObject(schema.properties) ? schema.properties : {};
  return {
    // Entries, because a property may have the name `__proto__`.
    properties: Object.fromEntries(
      [...inner.map(({ properties }) => properties), own].flatMap((properties) => Object.entries(properties)),
    ),
    required: [
      ...inner.flatMap(({ required }) => required),
      ...(Array.isArray(schema.required) ? schema.required : []),
    ],
  };
}
