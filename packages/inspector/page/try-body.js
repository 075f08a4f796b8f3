// The body of a request in the form: as fields of its properties, as JSON, as text, or as a file, by the media types that the route declares.
import { checkValue, isSchemaObject, typesOf } from './check-value.js';
import { fill, h } from './dom.js';
import { examplesOf, sampleOf } from './sample.js';
import { createField, describeFailures, folded, parseJson, propertiesOf } from './try-fields.js';

/** @import { SchemaModel } from '@ambit/inspector' */
/** @import { Field } from './try-fields.js' */

/** A body with more properties is JSON at first: so many fields are no help. */
const maxFields = 40;

/**
 * @typedef {object} Content
 * @property {BodyInit} [body]
 * @property {Record<string, string>} [headers]
 * @property {string} [problem] Why there is no content.
 */

/**
 * An editor for one media type.
 *
 * @typedef {object} Editor
 * @property {import('./dom.js').Children} content
 * @property {() => Content} read
 * @property {(messages: readonly string[]) => void} showProblems
 * @property {Field[]} fields
 */

/**
 * @param {readonly SchemaModel[]} schemas The schemas of the body, one for each media type.
 * @param {() => void} onChange
 */
export function bodyForm(schemas, onChange) {
  const place = h('div.fields');
  /** @type {readonly (readonly [type: string, schema: unknown])[]} */
  const media =
    schemas.length === 0
      ? [['application/json', undefined]]
      : schemas.map(({ contentType, resolved }) => [contentType ?? 'application/json', resolved]);
  const choice = h(
    'select',
    { 'aria-label': 'Media type' },
    media.map(([type]) => h('option', {}, type)),
  );
  /** @type {Editor} */
  let editor;

  function show() {
    const [type = '', schema] = media[choice.selectedIndex] ?? media[0] ?? [];
    editor = editorFor(type.toLowerCase(), schema, onChange);
    fill(place, editor.content);
    onChange();
  }

  // Not at once, because `onChange` reads this form.
  const [type = '', schema] = media[0] ?? [];
  editor = editorFor(type.toLowerCase(), schema, onChange);
  fill(place, editor.content);
  choice.addEventListener('change', show);
  return {
    element: h(
      'div.fields',
      {},
      media.length > 1 && h('label.field', {}, h('span', {}, 'Media type'), choice),
      place,
    ),
    get fields() {
      return editor.fields;
    },
    /** @returns {Content} */
    read: () => editor.read(),
    /** @param {readonly string[]} messages */
    showProblems: (messages) => editor.showProblems(messages),
  };
}

/** @returns {Editor} */
function editorFor(
  /** @type {string} */ type,
  /** @type {unknown} */ schema,
  /** @type {() => void} */ onChange,
) {
  if (/json/.test(type)) return jsonEditor(type, schema, onChange);
  if (type.startsWith('multipart/')) return formEditor(schema, onChange, true);
  if (type === 'application/x-www-form-urlencoded') return formEditor(schema, onChange, false);
  const isText =
    /^text\/|xml|yaml|javascript/.test(type) && !(isSchemaObject(schema) && schema.format === 'binary');
  return isText ? textEditor(type, schema) : fileEditor(type);
}

/** @returns {Editor} */
function textEditor(/** @type {string} */ type, /** @type {unknown} */ schema) {
  const sample = schema === undefined ? '' : sampleOf(schema).value;
  const value = typeof sample === 'string' ? sample : JSON.stringify(sample);
  const input = h('textarea', { rows: 6, spellcheck: false, value, 'aria-label': `Body, ${type}` });
  const problems = problemsElement();
  return {
    content: [input, problems],
    read: () => ({ body: input.value, headers: { 'content-type': type } }),
    showProblems: (messages) => showList(problems, messages),
    fields: [],
  };
}

/** @returns {Editor} */
function fileEditor(/** @type {string} */ type) {
  const input = h('input', { type: 'file', 'aria-label': `A file for the body, ${type}` });
  const problems = problemsElement();
  return {
    content: [input, h('p.quiet', {}, `The content of the file is sent as ${type}.`), problems],
    read() {
      const [file] = input.files ?? [];
      return file === undefined
        ? {}
        : { body: file, headers: { 'content-type': type.includes('*') ? file.type : type } };
    },
    showProblems: (messages) => showList(problems, messages),
    fields: [],
  };
}

/** A form as browsers send it: with files, or only with text. @returns {Editor} */
function formEditor(
  /** @type {unknown} */ schema,
  /** @type {() => void} */ onChange,
  /** @type {boolean} */ acceptsFiles,
) {
  const fields = fieldsOf(schema, onChange, acceptsFiles);
  setFields(fields, sampleOf(schema).value);
  const problems = problemsElement();
  return {
    content: [
      fields.length === 0 ? h('p.quiet', {}, 'The schema names no fields.') : folded(fields),
      problems,
    ],
    read() {
      const form = acceptsFiles ? new FormData() : new URLSearchParams();
      for (const { name, read } of fields) {
        const { value, problem } = read();
        if (problem !== undefined) return { problem: `cannot be sent: ${name} ${problem}` };
        // An array is sent as several values of one name.
        for (const item of Array.isArray(value) ? value : value === undefined ? [] : [value])
          if (item instanceof File) /** @type {FormData} */ (form).append(name, item, item.name);
          else form.append(name, typeof item === 'object' ? JSON.stringify(item) : String(item));
      }
      return { body: form };
    },
    showProblems: (messages) => showList(problems, messages),
    fields,
  };
}

/**
 * The body as fields, or as JSON. What is in one is taken over into the other.
 *
 * @param {string} type
 * @param {unknown} schema
 * @param {() => void} onChange
 * @returns {Editor}
 */
function jsonEditor(type, schema, onChange) {
  const text = h('textarea', {
    rows: 8,
    spellcheck: false,
    placeholder: '{ }',
    'aria-label': 'Body as JSON',
  });
  const problems = problemsElement();
  const fields = fieldsOf(schema, onChange, false);
  // Fields cannot say what depends on other fields.
  const isPlain =
    isSchemaObject(schema) && !['oneOf', 'anyOf', 'if', 'patternProperties'].some((key) => key in schema);
  const hasFields = isPlain && fields.length > 0 && fields.length <= maxFields;
  const asFields = h('div.fields', {}, hasFields && folded(fields));
  const switchMode = h('button.quiet', { type: 'button', on: { click: toggle } });
  let showsFields = hasFields;

  function setText(/** @type {unknown} */ value) {
    // Also the default value, so that a sample does not count as text of the user.
    text.value = text.defaultValue = value === undefined ? '' : JSON.stringify(value, null, 2);
    text.rows = Math.min(20, Math.max(4, text.value.split('\n').length));
  }

  function check() {
    const { value, problem } = text.value.trim() === '' ? {} : parseJson(text.value);
    if (problem !== undefined) showList(problems, [`The body ${problem}.`]);
    else
      showList(
        problems,
        schema === undefined || value === undefined ? [] : describeFailures(checkValue(schema, value)),
      );
  }

  /** The object that the fields make. */
  function compose() {
    /** @type {Record<string, unknown>} */
    const object = {};
    for (const { name, read } of fields) {
      const { value, problem } = read();
      if (problem !== undefined) return { problem: `cannot be written: ${name} ${problem}` };
      if (value !== undefined)
        Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
    }
    return { value: object };
  }

  function toggle() {
    if (showsFields) {
      const { value, problem } = compose();
      if (problem !== undefined) return showList(problems, [`The body ${problem}.`]);
      setText(value);
    } else {
      const { value, problem } = parseJson(text.value.trim() === '' ? '{}' : text.value);
      if (problem !== undefined || !isSchemaObject(value))
        return showList(problems, [
          problem === undefined ? 'Fields need an object.' : `The body ${problem}.`,
        ]);
      setFields(fields, value);
    }
    showsFields = !showsFields;
    draw();
  }

  function draw() {
    asFields.hidden = !showsFields;
    text.hidden = showsFields;
    switchMode.textContent = showsFields ? 'Edit as JSON' : 'Edit as fields';
    showList(problems, []);
    if (!showsFields) check();
  }

  const examples = isSchemaObject(schema) ? examplesOf(schema).slice(0, 20) : [];
  const choice = h(
    'select',
    {
      'aria-label': 'Example',
      on: {
        change() {
          const value = examples[Number(choice.value)];
          setText(value);
          setFields(fields, value);
        },
      },
    },
    examples.map((_, i) => h('option', { value: i }, `Example ${i + 1}`)),
  );

  let note = '';
  if (schema !== undefined) {
    const sample = sampleOf(schema);
    setText(sample.value);
    setFields(fields, sample.value);
    const [failure] = sample.failures;
    if (failure !== undefined)
      note = `No valid sample was found: ${`${failure.path} ${failure.message}`.trim()}. Write the body yourself.`;
  }
  text.addEventListener('input', check);
  draw();
  return {
    content: [
      h('div.try-tools', {}, examples.length > 1 && choice, hasFields && switchMode),
      note !== '' && h('p.quiet', {}, note),
      asFields,
      text,
      problems,
    ],
    read() {
      if (!showsFields)
        return text.value === '' ? {} : { body: text.value, headers: { 'content-type': type } };
      const { value, problem } = compose();
      return problem === undefined
        ? { body: JSON.stringify(value), headers: { 'content-type': type } }
        : { problem };
    },
    showProblems: (messages) => showList(problems, messages),
    get fields() {
      return showsFields ? fields : [];
    },
  };
}

/** The fields of the properties of an object. A schema that allows anything else has none. */
function fieldsOf(
  /** @type {unknown} */ schema,
  /** @type {() => void} */ onChange,
  /** @type {boolean} */ acceptsFiles,
) {
  if (!isSchemaObject(schema) || (typesOf(schema)[0] ?? 'object') !== 'object') return [];
  const { properties, required } = propertiesOf(schema);
  // What only the application writes is not sent, unless the schema requires it.
  const sent = Object.entries(properties).filter(
    ([name, own]) => required.includes(name) || !isSchemaObject(own) || own.readOnly !== true,
  );
  return sent.map(([name, own]) =>
    createField({
      name,
      schema: own,
      root: schema,
      isRequired: required.includes(name),
      onChange,
      acceptsFiles,
    }),
  );
}

function setFields(/** @type {readonly Field[]} */ fields, /** @type {unknown} */ value) {
  const own = isSchemaObject(value) ? value : {};
  for (const field of fields) field.set(Object.hasOwn(own, field.name) ? own[field.name] : undefined);
}

function problemsElement() {
  return h('ul.field-problem', { 'aria-live': 'polite' });
}

function showList(/** @type {HTMLElement} */ element, /** @type {readonly string[]} */ messages) {
  fill(
    element,
    messages.map((message) => h('li', {}, message)),
  );
}
