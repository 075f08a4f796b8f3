/** How the items of a stream are written: which media types have a framing for items, and what the plan holds for each that a route declares. */
import type { SerializerFunction } from './compiler.ts';

/** The media types whose content is a sequence of items. The framing of each is in `runtime/item-stream/framing.ts`. */
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
  /** Writes one item, by the item schema. */
  readonly serialize: SerializerFunction;
}

/** The item schemas of a route, compiled, by status and media type. */
export interface ItemFormats {
  /**
   * The format for a status and a Content-Type.
   *
   * @param contentType What the handler has set; without it, the first media type that the route declares for the status counts.
   */
  pick(status: number, contentType: string | undefined): ItemFormat | undefined;
}

/** The option `stream` of a route, with its defaults filled in. */
export interface StreamSettings {
  readonly heartbeatMs: number | false;
  readonly closeMs: number;
}
