/** The options of forms in `multipart/form-data`. Not of Fastify. */

/** The options of reading `multipart/form-data`. A body over a limit is answered 413, with the name of the field. Sizes are in bytes. */
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
  /**
   * How many bytes of its files one request keeps in memory: an integer >= 0. A file that does not fit is written to a temporary
   * folder. Default 1,048,576 (1 MiB).
   */
  memorySize?: number;
  /** The folder that temporary folders are made in. It must exist. Default: `os.tmpdir()`. */
  folder?: string;
}
