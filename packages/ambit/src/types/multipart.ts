/** Uploads: the options of `multipart/form-data` bodies, and the type of the files in them. */

/** The limits of `multipart/form-data` bodies, in bytes. A body over one is answered with 413 and the name of the field. */
export interface MultipartOptions {
  /** The largest file: an integer > 0. Default: no limit besides the `bodyLimit` of the route. */
  fileSize?: number;
  /** The most files in a body: an integer >= 0. Default 100. */
  files?: number;
  /** The largest value of a field that is not a file: an integer > 0. Default: no limit besides the `bodyLimit` of the route. */
  fieldSize?: number;
  /** The most fields in a body that are not files: an integer >= 0. Default 1,000. */
  fields?: number;
  /** The longest name of a field: an integer > 0. Default 100. */
  fieldNameSize?: number;
  /** The largest head (all header fields together) of one part: an integer > 0. Default 16,384. */
  headerSize?: number;
  /** How many bytes of files a request keeps in memory; larger files go to a temporary folder. An integer >= 0. Default 1,048,576. */
  memorySize?: number;
  /** The folder in which temporary folders are created. It must exist. Default: `os.tmpdir()`. */
  folder?: string;
}

/** A file of a form: a web `File`. It is removed with the end of the response; reading it fails then (`AMBIT_ERR_UPLOAD_REMOVED`). */
export interface UploadedFile extends File {
  /** The name that the client gave the file, without folders; empty if it gave none. Never use it as a path. */
  readonly name: string;
  /** The media type that the client named, in lower case and without parameters. The content may be something else. */
  readonly type: string;
  /** The size in bytes. */
  readonly size: number;
  /** The name of the form's field. */
  readonly fieldName: string;
  /** Reads the file in chunks. Each call reads from the start. */
  stream(): ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Reads the whole file. */
  bytes(): Promise<Uint8Array<ArrayBuffer>>;
  /** Reads the whole file. */
  arrayBuffer(): Promise<ArrayBuffer>;
  /** Reads the whole file as UTF-8. */
  text(): Promise<string>;
  /**
   * Saves the file for good: moves or writes it to a path, and replaces what is there. The file can still be read afterwards.
   * @param path Where to save it. Its folder must exist.
   * @throws {UploadRemoved} (as a rejection) if the response has ended; otherwise what the file system reports.
   */
  saveTo(path: string): Promise<void>;
}

/** A form whose fields are typed, created by `form()` of `ambit/client`. Any other `FormData` is accepted without a check. */
export type TypedForm<Fields> = FormData & {
  /** Read by the type checker only. */
  readonly '~fields'?: Fields;
};

/** What the schema of a form says about its fields, for the parser. */
export interface FormShape {
  /** Whether a field is a file; `undefined` if the schema does not declare the field. @param field Its name in the form. */
  isFile(field: string): boolean | undefined;
  /** Whether the value of a field may be text. @param field Its name in the form. */
  isText(field: string): boolean;
  /** Whether the value of a field is an array, also if the field comes once. @param field Its name in the form. */
  isList(field: string): boolean;
  /** Whether the value of a field is an object, which forms carry as JSON. @param field Its name in the form. */
  isObject(field: string): boolean;
}
