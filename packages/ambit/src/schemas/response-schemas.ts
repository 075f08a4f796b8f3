/** From the response schemas of a route to its serializers, and the choice among them by status and media type (specification 6.1, 6.2). */
import type { SerializerCompiler, SerializerFunction } from '../contract/compiler.ts';
import { OptionInvalid, ResponseStatusInvalid, SerializerNotFunction } from '../contract/errors.ts';
import type { ResponseSerializers } from '../contract/plan.ts';
import type { RegisteredRoute } from '../contract/route-info.ts';
import type { RouteSchema } from '../contract/route-schema.ts';
import { parseMediaType } from '../shared/media-type.ts';
import { type ContentSchemas, namePart, readContentSchemas } from './content-schemas.ts';
import { requireSchema } from './request-schemas.ts';
import { withPart } from './schema-build-error.ts';

const responseKey = /^(?:[1-5](?:\d\d|xx)|default)$/;

/**
 * The schemas of a response by the key that the route declared: a status, `2xx`, `default`.
 *
 * @throws {ResponseStatusInvalid} for any other key. @throws {SchemaContentMissing} {OptionInvalid}
 */
export function normalizeResponse(response: RouteSchema['response']): ReadonlyMap<string, ContentSchemas> {
  const schemas = new Map<string, ContentSchemas>();
  for (const [status, entry] of Object.entries(entriesOf(response))) {
    if (!responseKey.test(status.toLowerCase())) throw new ResponseStatusInvalid();
    schemas.set(status, readContentSchemas(entry));
  }
  return schemas;
}

/** `condition && response` may be `false`; any other value that is not an object is a mistake. */
function entriesOf(response: unknown): object {
  if (response === undefined || response === false) return {};
  if (typeof response === 'object' && response !== null && !Array.isArray(response)) return response;
  const received = response === null ? 'null' : Array.isArray(response) ? 'array' : typeof response;
  throw new OptionInvalid(
    'schema',
    `response must be an object of schemas by status, instead got ${received}`,
  );
}

export function compileSerializers(
  response: ReadonlyMap<string, ContentSchemas>,
  route: RegisteredRoute,
  compiler: SerializerCompiler,
): ResponseSerializers | undefined {
  if (response.size === 0) return undefined;
  const compile = (schema: unknown, httpStatus: string, contentType?: string): SerializerFunction => {
    const request = { schema, method: route.method as string, url: route.url, httpStatus };
    const part = `response ${httpStatus}`;
    return withPart(namePart(part, contentType), schema, () => {
      requireSchema(schema, part);
      const serializer = compiler(contentType === undefined ? request : { ...request, contentType });
      if (typeof serializer !== 'function') throw new SerializerNotFunction(httpStatus, String(serializer));
      return serializer;
    });
  };
  const entries = new Map<string, SerializerEntry>();
  for (const [key, entry] of response) {
    const status = key.toLowerCase();
    const serializers =
      'whole' in entry
        ? compile(entry.whole, status)
        : new Map([...entry.byType].map(([type, schema]) => [type, compile(schema, status, type)]));
    entries.set(status, serializers);
  }
  return new StatusSerializers(entries);
}

/** One entry of a response schema: a serializer for every media type, or one for each. */
type SerializerEntry = SerializerFunction | ReadonlyMap<string, SerializerFunction>;

class StatusSerializers implements ResponseSerializers {
  readonly #entries: ReadonlyMap<string, SerializerEntry>;
  readonly #byStatus = new Map<number, SerializerEntry | undefined>();

  /** @param entries By lower-case key: `200`, `2xx`, `default`. */
  constructor(entries: ReadonlyMap<string, SerializerEntry>) {
    this.#entries = entries;
  }

  // HOT: once per serialized reply. A map lookup once a status has been seen.
  pick(status: number, contentType: string | undefined): SerializerFunction | undefined {
    let entry = this.#byStatus.get(status);
    if (entry === undefined && !this.#byStatus.has(status)) {
      entry = this.#find(status);
      this.#byStatus.set(status, entry);
    }
    if (entry === undefined || typeof entry === 'function') return entry;
    // A value without a Content-Type, or with one that cannot be parsed, is sent as JSON.
    const { essence = 'application/json' } = parseMediaType(contentType);
    return entry.get(essence) ?? entry.get('*/*');
  }

  get(key: string | number, mediaType?: string): SerializerFunction | undefined {
    const entry = this.#entries.get(String(key).toLowerCase());
    if (typeof entry === 'function') return mediaType === undefined ? entry : undefined;
    return mediaType === undefined ? undefined : entry?.get(parseMediaType(mediaType).essence ?? mediaType);
  }

  #find(status: number): SerializerEntry | undefined {
    const text = String(status);
    return this.#entries.get(text) ?? this.#entries.get(`${text[0]}xx`) ?? this.#entries.get('default');
  }
}
