/**
 * The item schemas of responses that stream: checks where `itemSchema` is allowed and what it describes, and picks the format of the items
 * for a reply.
 */

import { parseMediaType } from '../shared/media-type.ts';
import { isPlainObject } from '../shared/values.ts';
import type { SerializerFunction } from '../types/compilers.ts';
import { ItemSchemaInvalid } from '../types/errors.ts';
import { type ItemFormat, type ItemFormats, type ItemMediaType, itemMediaTypes } from '../types/plan.ts';

/** The fields of an event (WHATWG HTML, 9.2.6). */
const eventFields: ReadonlySet<string> = new Set(['data', 'event', 'id', 'retry']);

/** A success status that has content (without 204 and 205: RFC 9110, 15.3.5 and 15.3.6). */
const streamingStatus = /^2(?!04|05)(?:\d\d|xx)$/;

/**
 * @param key The status that the route declares the schema for, in lower case.
 * @param mediaType In lower case, without parameters.
 * @throws {ItemSchemaInvalid}
 */
export function checkItemSchema(key: string, mediaType: string, schema: unknown): void {
  if (!streamingStatus.test(key)) {
    throw new ItemSchemaInvalid(
      `a response ${key} does not stream: an item schema needs a status from 200 to 299 that has content, or 2xx`,
    );
  }
  if (!isItemMediaType(mediaType)) {
    throw new ItemSchemaInvalid(
      `no framing of items is known for the media type '${mediaType}'; known are ${itemMediaTypes.join(', ')}`,
    );
  }
  if (mediaType === 'text/event-stream') checkEventSchema(schema);
}

function isItemMediaType(mediaType: string): mediaType is ItemMediaType {
  return (itemMediaTypes as readonly string[]).includes(mediaType);
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

/** A route's item formats, by status key (`200`, `2xx`) and by media type. */
export type ItemFormatsByKey = ReadonlyMap<string, ReadonlyMap<string, ItemFormat>>;

/** @param serialize The serializer that was compiled from the item schema. */
export function makeItemFormat(mediaType: string, serialize: SerializerFunction): ItemFormat {
  return { mediaType: mediaType as ItemMediaType, serialize };
}

export class StatusItemFormats implements ItemFormats {
  readonly #byKey: ItemFormatsByKey;

  /** @param byKey By lower-case key: `200`, `2xx`. */
  constructor(byKey: ItemFormatsByKey) {
    this.#byKey = byKey;
  }

  pick(status: number, contentType: string | undefined): ItemFormat | undefined {
    const text = String(status);
    const formats = this.#byKey.get(text) ?? this.#byKey.get(`${text[0]}xx`);
    if (formats === undefined) return undefined;
    if (contentType === undefined) return formats.values().next().value;
    return formats.get(parseMediaType(contentType).essence ?? '');
  }
}
