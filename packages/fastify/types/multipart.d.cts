/** The options of forms in `multipart/form-data`. Not in Fastify. */

/** The options for `multipart/form-data` bodies. A body over a limit gets 413 with the name of the field. Sizes are in bytes. */
export interface MultipartOptions {
  /** The largest file: an integer > 0. Default: no limit besides the `bodyLimit` of the route. */
  fileSize?: number;
  /** The maximum number of files in a body: an integer >= 0. Default 100. */
  files?: number;
  /** The largest value of a field that is not a file: an integer > 0. Default: no limit besides the `bodyLimit` of the route. */
  fieldSize?: number;
  /** The maximum number of fields in a body that are not files: an integer >= 0. Default 1,000. */
  fields?: number;
  /** The maximum length of a field name: an integer > 0. Default 100. */
  fieldNameSize?: number;
  /** The largest head (all header fields together) of one part: an integer > 0. Default 16,384. */
  headerSize?: number;
  /**
   * How many bytes of its files one request keeps in memory: an integer >= 0. A file that does not fit is written to a temporary
   * folder. Default 1,048,576 (1 MiB).
   */
  memorySize?: number;
  /** The folder in which temporary folders are created. It must exist. Default: `os.tmpdir()`. */
  folder?: string;
}
