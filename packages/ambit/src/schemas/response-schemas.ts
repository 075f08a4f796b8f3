/** The response schemas of a route: in normal form, and compiled into serializers, which are picked by status and media type (specification 6.1, 6.2). */
import { findByRange, parseMediaType } from '../shared/media-type.ts';
import { didYouMean } from '../shared/nearest-name.ts';
import { isPlainObject } from '../shared/values.ts';
import type { SerializerFunction, SerializerRequest } from '../types/compilers.ts';
import {
  ItemSchemaInvalid,
  ItemsExpected,
  OptionInvalid,
  ResponseStatusInvalid,
  SerializerNotFunction,
} from '../types/errors.ts';
import {
  type ItemFormat,
  type ItemFormats,
  type ItemMediaType,
  itemMediaTypes,
  type ResponseSerializers,
} from '../types/plan.ts';
import type { RegisteredRoute } from '../types/route-info.ts';
import type { RouteSchema } from '../types/route-schema.ts';
import {
  type ContentSchemas,
  compilePart,
  namePart,
  type PartBuild,
  readContentSchemas,
} from './content-schemas.ts';
import { withPart } from './schema-engines.ts';

const responseKey = /^(?:[1-5](?:\d\d|xx)|default)$/;

const commonKeys = ['default', ...[1, 2, 3, 4, 5].map((digit) => `${digit}xx`)];

function statusInvalid(status: string): Error {
  return ResponseStatusInvalid.at({ hint: didYouMean(status, commonKeys) ?? `'${status}' is not a status` });
}

/**
 * The schemas of a response by the key that the route declared: a status, `2xx`, `default`.
 *
 * @throws {ResponseStatusInvalid} for any other key.
 * @throws {SchemaContentMissing} {MediaRangeInvalid} {ItemSchemaInvalid} {OptionInvalid}
 */
export function normalizeResponse(response: RouteSchema['response']): ReadonlyMap<string, ContentSchemas> {
  const schemas = new Map<string, ContentSchemas>();
  for (const [status, entry] of Object.entries(entriesOf(response))) {
    if (!responseKey.test(status.toLowerCase())) throw statusInvalid(status);
    withPart(`response ${status}`, entry, () => rejectMisplacedItems(entry));
    schemas.set(status, readContentSchemas(entry, `response ${status}`, true));
  }
  return schemas;
}

/** @throws {ItemSchemaInvalid} for an item schema without a media type, because the media type decides how items are separated. */
function rejectMisplacedItems(entry: unknown): void {
  if (!isPlainObject(entry) || !('itemSchema' in entry) || 'content' in entry || 'properties' in entry)
    return;
  throw new ItemSchemaInvalid(
    'an item schema belongs to a media type: `content: { [media type]: { itemSchema } }`',
  );
}

/** Reads the responses. `false` is allowed, because it may come from `condition && response`. */
function entriesOf(response: unknown): object {
  if (response === undefined || response === false) return {};
  if (typeof response === 'object' && response !== null && !Array.isArray(response)) return response;
  const received = response === null ? 'null' : Array.isArray(response) ? 'array' : typeof response;
  throw new OptionInvalid(
    'schema',
    `response must be an object of schemas by status, instead got ${received}`,
  );
}

/** What is compiled from the response schemas of a route. */
interface CompiledResponse {
  readonly serializers: ResponseSerializers | undefined;
  /** `undefined` if no response of the route streams. */
  readonly items: ItemFormats | undefined;
}

type CompileSchema = (schema: unknown, httpStatus: string, contentType?: string) => SerializerFunction;

export function compileSerializers(
  response: ReadonlyMap<string, ContentSchemas>,
  route: RegisteredRoute,
  build: PartBuild<SerializerRequest, SerializerFunction>,
): CompiledResponse {
  if (response.size === 0) return { serializers: undefined, items: undefined };
  const compile: CompileSchema = (schema, httpStatus, contentType) => {
    const { method, url } = route as { method: string; url: string };
    const request: SerializerRequest = { schema, method, url, httpStatus };
    if (contentType !== undefined) request.contentType = contentType;
    return compilePart(request, `response ${httpStatus}`, build, (serializer) => {
      if (typeof serializer !== 'function') throw new SerializerNotFunction(httpStatus, String(serializer));
      return serializer;
    });
  };
  const entries = new Map<string, SerializerEntry>();
  let items: Map<string, ReadonlyMap<string, ItemFormat>> | undefined;
  for (const [key, entry] of response) {
    const status = key.toLowerCase();
    if ('forAllTypes' in entry) entries.set(status, compile(entry.forAllTypes, status));
    else {
      const serializers = new Map(
        [...entry.byType].map(([type, schema]) => [type, compile(schema, status, type)]),
      );
      if (entry.items.size > 0) {
        items ??= new Map();
        items.set(status, compileItems(entry.items, status, serializers, compile));
      }
      entries.set(status, serializers);
    }
  }
  return { serializers: new StatusSerializers(entries), items: items && itemFormats(items) };
}

/**
 * A media type that has only an item schema gets a serializer that rejects a value that is not streamed: without it, the value would be
 * sent with all its properties.
 */
function compileItems(
  items: ReadonlyMap<string, unknown>,
  status: string,
  serializers: Map<string, SerializerFunction>,
  compile: CompileSchema,
): ReadonlyMap<string, ItemFormat> {
  const formats = new Map<string, ItemFormat>();
  const isStreamOnly = serializers.size === 0;
  for (const [type, schema] of items) {
    withPart(namePart(`response ${status}`, type), schema, () => checkItemSchema(status, type, schema));
    const serialize = compile(schema, status, type);
    formats.set(type, { mediaType: type as ItemMediaType, serialize });
    const reject = (): never => {
      throw new ItemsExpected(status, type);
    };
    if (!serializers.has(type)) serializers.set(type, reject);
    if (isStreamOnly && !serializers.has('*/*')) serializers.set('*/*', reject);
  }
  return formats;
}

/** The fields of an event (WHATWG HTML, 9.2.6). */
const eventFields: ReadonlySet<string> = new Set(['data', 'event', 'id', 'retry']);

/** A success status that has content (without 204 and 205: RFC 9110, 15.3.5 and 15.3.6). */
const streamingStatus = /^2(?!04|05)(?:\d\d|xx)$/;

/**
 * @param key The status that the route declares the schema for, in lower case.
 * @param mediaType In lower case, without parameters.
 * @throws {ItemSchemaInvalid}
 */
function checkItemSchema(key: string, mediaType: string, schema: unknown): void {
  if (!streamingStatus.test(key)) {
    throw new ItemSchemaInvalid(
      `a response ${key} does not stream: an item schema needs a status from 200 to 299 that has content, or 2xx`,
    );
  }
  if (!(itemMediaTypes as readonly string[]).includes(mediaType)) {
    throw new ItemSchemaInvalid(
      `no framing of items is known for the media type '${mediaType}'; known are ${itemMediaTypes.join(', ')}`,
    );
  }
  if (mediaType === 'text/event-stream') checkEventSchema(schema);
}

/**
 * An item of an event stream must be an event, with its payload in `data`. References are not followed: a mistake behind one fails the
 * first item.
 */
function checkEventSchema(schema: unknown): void {
  if (!isPlainObject(schema)) return;
  const { type, properties } = schema;
  if (type !== undefined && ![type].flat().includes('object')) {
    throw new ItemSchemaInvalid(
      `an item of text/event-stream is an event, so its type is object, not ${type}; put it in \`data\``,
    );
  }
  for (const name of isPlainObject(properties) ? Object.keys(properties) : []) {
    if (!eventFields.has(name)) {
      throw new ItemSchemaInvalid(
        `an event of text/event-stream has the fields data, event, id and retry, not '${name}'; put it in \`data\``,
      );
    }
  }
  for (const keyword of ['oneOf', 'anyOf', 'allOf']) {
    for (const branch of [schema[keyword] ?? []].flat()) checkEventSchema(branch);
  }
}

/** One entry of a response schema: one serializer for all media types, or one for each media type. */
type SerializerEntry = SerializerFunction | ReadonlyMap<string, SerializerFunction>;

class StatusSerializers implements ResponseSerializers {
  readonly #entries: ReadonlyMap<string, SerializerEntry>;
  /** Filled by replies. Made with the first one, because boot has thousands of routes. */
  #byStatus: Map<number, SerializerEntry | undefined> | undefined;

  /** @param entries By lower-case key: `200`, `2xx`, `default`. */
  constructor(entries: ReadonlyMap<string, SerializerEntry>) {
    this.#entries = entries;
  }

  // HOT: once per serialized reply. Only a map lookup after the first reply with a status.
  pick(status: number, contentType: string | undefined): SerializerFunction | undefined {
    this.#byStatus ??= new Map();
    let entry = this.#byStatus.get(status);
    if (entry === undefined && !this.#byStatus.has(status)) {
      entry = entryOf(this.#entries, status);
      this.#byStatus.set(status, entry);
    }
    if (entry === undefined || typeof entry === 'function') return entry;
    // A value without a Content-Type, or with one that cannot be parsed, is sent as JSON.
    const { essence = 'application/json' } = parseMediaType(contentType);
    return findByRange(entry, essence);
  }

  get(key: string | number, mediaType?: string): SerializerFunction | undefined {
    const entry = this.#entries.get(String(key).toLowerCase());
    if (typeof entry === 'function') return mediaType === undefined ? entry : undefined;
    if (mediaType === undefined || entry === undefined) return undefined;
    return findByRange(entry, parseMediaType(mediaType).essence ?? mediaType);
  }
}

/** Returns the entry of a status, of its class, or of all statuses. */
function entryOf<Entry>(entries: ReadonlyMap<string, Entry>, status: number): Entry | undefined {
  const text = String(status);
  return entries.get(text) ?? entries.get(`${text[0]}xx`) ?? entries.get('default');
}

/** @param byKey The formats by lower-case key, `200` or `2xx`, and by media type. */
function itemFormats(byKey: ReadonlyMap<string, ReadonlyMap<string, ItemFormat>>): ItemFormats {
  return {
    pick(status, contentType) {
      const formats = entryOf(byKey, status);
      if (contentType === undefined) return formats?.values().next().value;
      return formats?.get(parseMediaType(contentType).essence ?? '');
    },
  };
}
