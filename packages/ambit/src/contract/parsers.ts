/** Parsers of bodies: what they are given, and how a context takes them. */
import type { BodyStream, PoisoningAction } from './body.ts';
import type { PayloadDone, Settled } from './callback.ts';
import type { HookScope } from './hooks.ts';

export type StreamParserOf<By extends HookScope> = (
  this: By['context'],
  request: By['request'],
  payload: BodyStream,
  done: PayloadDone,
) => Settled;
export type CollectedParserOf<By extends HookScope, Body extends string | Buffer> = (
  this: By['context'],
  request: By['request'],
  body: Body,
  done: PayloadDone,
) => Settled;

/** Media types, and patterns of them. */
type MediaTypes = string | RegExp | (string | RegExp)[];

/** The part of a context that is about bodies. */
export interface BodyParsing<By extends HookScope> {
  addContentTypeParser(mediaType: MediaTypes, parser: StreamParserOf<By>): this;
  addContentTypeParser(
    mediaType: MediaTypes,
    options: { bodyLimit?: number },
    parser: StreamParserOf<By>,
  ): this;
  addContentTypeParser(
    mediaType: MediaTypes,
    options: { parseAs: 'string'; bodyLimit?: number },
    parser: CollectedParserOf<By, string>,
  ): this;
  addContentTypeParser(
    mediaType: MediaTypes,
    options: { parseAs: 'buffer'; bodyLimit?: number },
    parser: CollectedParserOf<By, Buffer>,
  ): this;
  hasContentTypeParser(mediaType: string | RegExp): boolean;
  removeContentTypeParser(mediaType: MediaTypes): void;
  removeAllContentTypeParsers(): void;
  getDefaultJsonParser(
    onProtoPoisoning: PoisoningAction,
    onConstructorPoisoning: PoisoningAction,
  ): CollectedParserOf<By, string>;
  defaultTextParser: CollectedParserOf<By, string>;
}
