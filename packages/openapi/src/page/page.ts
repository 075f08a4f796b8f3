/** Declares the parts of a documentation page. */

/** A file of the page. */
export interface PageFile {
  readonly name: string;
  readonly type: string;
  readonly etag: string;
  /** The content as bytes or a stream, and its encoding. */
  open(acceptsGzip: boolean): { body: unknown; encoding?: string };
}

/** A documentation page. */
export interface Page {
  readonly styles: readonly string[];
  readonly scripts: readonly string[];
  readonly files: readonly PageFile[];
  /** The data for the script of the page. */
  readonly configuration: { readonly [option: string]: unknown };
}
