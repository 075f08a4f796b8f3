/** The JSON Schema (2020-12) of the model. A test compares it with models of many applications. */

type Schema = Readonly<Record<string, unknown>>;

const text: Schema = { type: 'string' };
const id: Schema = { type: 'integer', minimum: 0 };
const time: Schema = { type: 'number', minimum: 0 };
const flag: Schema = { type: 'boolean' };
const orNull = (schema: Schema): Schema => ({ anyOf: [schema, { type: 'null' }] });
const list = (items: Schema): Schema => ({ type: 'array', items });
const name = (...values: string[]): Schema => ({ enum: values });

/** An object schema that requires every field and allows no others. */
function object(properties: Record<string, Schema>): Schema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

const path = name('request', 'reply', 'failure', 'onResponse', 'onTimeout', 'onRequestAbort');

const $defs: Readonly<Record<string, Schema>> = {
  context: object({
    id,
    parent: orNull(id),
    name: text,
    path: text,
    prefix: text,
    plugins: list(id),
    definitions: list({ $ref: '#/$defs/definition' }),
    isOwn: flag,
  }),
  definition: object({
    kind: name(
      'decorator',
      'requestDecorator',
      'replyDecorator',
      'hook',
      'schema',
      'parser',
      'removedParser',
      'errorHandler',
      'notFoundHandler',
      'compiler',
      'setting',
      'readinessCheck',
      'constraintStrategy',
    ),
    name: text,
    value: text,
    file: orNull(text),
    plugin: orNull(id),
  }),
  plugin: object({
    id,
    name: text,
    isOwn: flag,
    isHoisted: flag,
    parent: id,
    context: id,
    registeredBy: orNull(id),
    waitedFor: orNull(id),
    file: orNull(text),
    startMs: time,
    endMs: time,
    idleMs: time,
    loadedMs: time,
  }),
  afterListener: object({
    name: text,
    context: id,
    plugin: orNull(id),
    file: orNull(text),
    startMs: time,
    endMs: time,
    idleMs: time,
  }),
  route: object({
    id,
    context: id,
    methods: list(text),
    url: text,
    constraints: orNull(text),
    isAutomatic: flag,
    isOwn: flag,
    handler: orNull(text),
    schemas: list(text),
    file: orNull(text),
    plugin: orNull(id),
    steps: id,
  }),
  step: object({
    path,
    index: id,
    name: text,
    function: orNull(text),
    isOwn: flag,
    from: name('context', 'route', 'onRoute', 'framework'),
    context: orNull(id),
    plugin: orNull(id),
    file: orNull(text),
  }),
};

/** The JSON Schema (2020-12) of the model that `inspect` returns. */
export const modelSchema: Schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Inspection',
  description: 'An application of Ambit after boot. Ids are indexes into the lists.',
  ...object({
    version: { const: 1 },
    framework: object({ name: text, version: text }),
    node: text,
    folder: text,
    bootMs: time,
    contexts: { ...list({ $ref: '#/$defs/context' }), minItems: 1 },
    plugins: list({ $ref: '#/$defs/plugin' }),
    afterListeners: list({ $ref: '#/$defs/afterListener' }),
    routes: list({ $ref: '#/$defs/route' }),
    steps: list({ $ref: '#/$defs/step' }),
    stepLists: list(list(id)),
  }),
  $defs,
};
