/** Chooses the serializer of a response: by status, by pattern, by default; within an entry by media type (specification 6.2). */
import type { SerializerFunction } from '../../contract/compiler.ts';
import type { ResponseSerializers } from '../../contract/plan.ts';
import { parseMediaType } from '../../shared/media-type.ts';

/** One entry of a response schema: a serializer for every media type, or one each. */
export type SerializerEntry = SerializerFunction | ReadonlyMap<string, SerializerFunction>;

export class StatusSerializers implements ResponseSerializers {
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
    // A value that is sent without a type, or with what is none, is sent as JSON.
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
