/** The formats of item streams: the media types that have a framing for items, and the compiled item schemas that a plan holds. */
import type { SerializerFunction } from './compiler.ts';

/** The media types whose content is a sequence of items. `runtime/framing.ts` has the framing of each. */
export const itemMediaTypes = [
  'text/event-stream',
  'application/jsonl',
  'application/x-ndjson',
  'application/json-seq',
  'application/json',
] as const;

export type ItemMediaType = (typeof itemMediaTypes)[number];

/** One media type of a response that streams. */
export interface ItemFormat {
  readonly mediaType: ItemMediaType;
  /** Serializes one item with the item schema. */
  readonly serialize: SerializerFunction;
}

/** The item schemas of a route, compiled, by status and media type. */
export interface ItemFormats {
  /**
   * The format for a status and a Content-Type.
   *
   * @param contentType The Content-Type that the handler has set. Without one, the first media type that the route declares for the status
   *   is used.
   */
  pick(status: number, contentType: string | undefined): ItemFormat | undefined;
}

/** The option `stream` of a route, with its defaults filled in. */
export interface StreamSettings {
  readonly heartbeatMs: number | false;
  readonly closeMs: number;
}
