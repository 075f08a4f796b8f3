/** The methods of a context for parsers of bodies. */
import type { CollectedParser, PoisoningAction, StreamParser } from '../parsers.ts';

/** Media types, and patterns of media types. */
type MediaTypes = string | RegExp | (string | RegExp)[];

/** Adds and removes parsers of bodies. */
export interface ParserMethods {
  /**
   * Adds a parser that reads the body as a stream, to this context and to its children.
   *
   * @param mediaType A media type, a pattern, an array of these, or `*` for every body that no other parser takes.
   * @param parser Takes the request and the stream. It returns a promise of the value, or calls `done`. It must limit the size itself.
   * @throws {FST_ERR_CTP_ALREADY_PRESENT} if the context has a parser for that media type already.
   * @throws {FST_ERR_CTP_INVALID_TYPE} or {FST_ERR_CTP_EMPTY_TYPE} if `mediaType` is not a media type.
   * @throws {FST_ERR_CTP_INVALID_HANDLER} if `parser` is not a function.
   * @throws {FST_ERR_CTP_INSTANCE_ALREADY_STARTED} once the application has booted.
   */
  addContentTypeParser(mediaType: MediaTypes, parser: StreamParser): this;
  /**
   * Adds a parser that reads the body as a stream, to this context and to its children.
   *
   * @param mediaType A media type, a pattern, an array of these, or `*` for every body that no other parser takes.
   * @param options Without `parseAs`, no option applies: the parser must limit the size itself.
   * @param parser Takes the request and the stream. It returns a promise of the value, or calls `done`.
   * @throws {FST_ERR_CTP_ALREADY_PRESENT} if the context has a parser for that media type already.
   */
  addContentTypeParser(mediaType: MediaTypes, options: { bodyLimit?: number }, parser: StreamParser): this;
  /**
   * Adds a parser of a body that is collected as text, to this context and to its children.
   *
   * @param mediaType A media type, a pattern, an array of these, or `*` for every body that no other parser takes.
   * @param options `bodyLimit`: the largest body in bytes; a larger one is answered with 413. Default: the application's `bodyLimit`.
   * @param parser Takes the request and the text. It returns a promise of the value, or calls `done`.
   * @throws {FST_ERR_CTP_ALREADY_PRESENT} if the context has a parser for that media type already.
   */
  addContentTypeParser(
    mediaType: MediaTypes,
    options: { parseAs: 'string'; bodyLimit?: number },
    parser: CollectedParser<string>,
  ): this;
  /**
   * Adds a parser of a body that is collected as a Buffer, to this context and to its children.
   *
   * @param mediaType A media type, a pattern, an array of these, or `*` for every body that no other parser takes.
   * @param options `bodyLimit`: the largest body in bytes; a larger one is answered with 413. Default: the application's `bodyLimit`.
   * @param parser Takes the request and the Buffer. It returns a promise of the value, or calls `done`.
   * @throws {FST_ERR_CTP_ALREADY_PRESENT} if the context has a parser for that media type already.
   */
  addContentTypeParser(
    mediaType: MediaTypes,
    options: { parseAs: 'buffer'; bodyLimit?: number },
    parser: CollectedParser<Buffer>,
  ): this;
  /**
   * Tells whether this context has a parser for a media type.
   *
   * @param mediaType A media type, or a pattern as it was added.
   */
  hasContentTypeParser(mediaType: string | RegExp): boolean;
  /**
   * Removes parsers from this context and from its children: a body of that media type is answered with 415.
   *
   * @param mediaType A media type, a pattern as it was added, or an array of these.
   * @throws {FST_ERR_CTP_INSTANCE_ALREADY_STARTED} once the application has booted.
   */
  removeContentTypeParser(mediaType: MediaTypes): void;
  /**
   * Removes all parsers from this context and from its children, those for JSON and text, too.
   *
   * @throws {FST_ERR_CTP_INSTANCE_ALREADY_STARTED} once the application has booted.
   */
  removeAllContentTypeParsers(): void;
  /**
   * Creates a parser like the default one for JSON.
   *
   * @param onProtoPoisoning What to do about a key `__proto__`.
   * @param onConstructorPoisoning What to do about a key `constructor` that holds a `prototype`.
   * @returns The parser, for `addContentTypeParser` with `parseAs: 'string'`.
   */
  getDefaultJsonParser(
    onProtoPoisoning: PoisoningAction,
    onConstructorPoisoning: PoisoningAction,
  ): CollectedParser<string>;
  /** The default parser for text, for `addContentTypeParser` with `parseAs: 'string'`. */
  defaultTextParser: CollectedParser<string>;
}
