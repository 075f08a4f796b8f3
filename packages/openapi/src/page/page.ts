/** What a documentation page is made of. */

/** A file of the page. */
export interface PageFile {
  readonly name: string;
  readonly type: string;
  readonly etag: string;
  /** The bytes or a stream of them, and how they are encoded. */
  open(acceptsGzip: boolean): { body: unknown; encoding?: string };
}

/** What a page is made of. */
export interface Page {
  readonly styles: readonly string[];
  readonly scripts: readonly string[];
  readonly files: readonly PageFile[];
  /** What its script reads. */
  readonly configuration: { readonly [option: string]: unknown };
}
