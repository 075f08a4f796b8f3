/** The options of health checks, of overload protection and of uploads, and what applications see of these while they run. */

/** The paths of the routes for probes. */
export interface HealthOptions {
  /**
   * The path of liveness: it answers 200 as long as the process serves requests, and checks no dependency. `false` for none. Default
   * `/livez`.
   */
  live?: string | false;
  /**
   * The path of readiness: it answers 200 if the application should get requests, and 503 if it stops or if a check fails. `false` for
   * none. Default `/readyz`.
   */
  ready?: string | false;
}

/** How a readiness check runs. */
export interface ReadinessCheckOptions {
  /** The longest time that the check may take, in milliseconds, before it counts as failed: an integer > 0. Default 800. */
  timeoutMs?: number;
  /** How long a result is cached, in milliseconds: an integer >= 0. Default 1,000. */
  cacheMs?: number;
}

/**
 * Checks a dependency. The check fails if the function throws, if its promise rejects, or if the result is `false`.
 *
 * @param signal Aborts when the time limit is over.
 */
export type ReadinessCheckFunction<This = unknown> = (this: This, signal: AbortSignal) => unknown;

/** How many requests a context serves at the same time, and how it refuses the others. */
export interface OverloadOptions {
  /** The lowest limit: an integer > 0. Default 10. */
  minLimit?: number;
  /** The highest limit: an integer >= `minLimit`. Default 1,000. */
  maxLimit?: number;
  /** The limit at the start: an integer from `minLimit` to `maxLimit`. Default 20, or the nearest value that is allowed. */
  initialLimit?: number;
  /** How many times its usual duration a request may take before the limit shrinks: a number >= 1. Default 2. */
  tolerance?: number;
  /** The limit shrinks whenever the mean delay of the event loop, in milliseconds, is longer than this: an integer > 0. Default 100. */
  maxEventLoopDelayMs?: number;
  /** The field `Retry-After` of refused requests, in seconds: an integer >= 0. Default 1. */
  retryAfterSeconds?: number;
}

/** The options with their defaults. */
export type OverloadSettings = Readonly<Required<OverloadOptions>>;

/**
 * Which requests are refused first. `low` may use half of the limit, `normal` the limit, `high` half as much again; `critical` is never
 * refused, but counts.
 */
export type Priority = 'low' | 'normal' | 'high' | 'critical';

/** How a route takes part in the overload protection of its context. */
export interface RouteOverloadOptions {
  /** Default `normal`. */
  priority?: Priority;
}

/** What the overload protection of a context does at the moment. */
export interface OverloadState {
  /** How many requests of priority `normal` may run at the same time. */
  readonly limit: number;
  /** How many requests run: admitted, and not answered. Those whose body is being received do not count. */
  readonly inFlight: number;
  /** How many requests were admitted since the start. */
  readonly admitted: number;
  /** How many requests were refused since the start. */
  readonly refused: number;
}

/** The overload protection of a context, as its plans use it. */
export interface Admission<Exchange = unknown> {
  /** Admits a request, or refuses it with an error reply. Returns whether it was admitted. */
  admit(x: Exchange): boolean;
  /** Called before the body of the request is received: until it is there, the request waits for its client and does not count. */
  pause(x: Exchange): void;
  /** Called when the body of the request has been received. */
  resume(x: Exchange): void;
  /** Called when the request has its reply. */
  leave(x: Exchange): void;
}

/** A request that was admitted. */
export interface AdmissionTicket {
  /**
   * When its duration began, on the clock of `performance.now()`. The time that it waits for its body is added, so that it does not count.
   */
  sinceMs: number;
  /** When the wait for its body began; 0 while it does not wait. */
  pausedAtMs: number;
  /** The turn of the event loop that admitted it; 0 if that does not matter. */
  turn: number;
  hasLeft: boolean;
}

/**
 * The options of reading `multipart/form-data`. A body over a limit is answered with 413, with the name of the field. Sizes are in bytes.
 */
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
   * How many bytes of its files one request keeps in memory: an integer >= 0. A file that does not fit is written to a temporary folder.
   * Default 1,048,576 (1 MiB).
   */
  memorySize?: number;
  /** The folder in which temporary folders are created. It must exist. Default: `os.tmpdir()`. */
  folder?: string;
}

/**
 * A file of a `multipart/form-data` body: a web `File`, kept in memory or in a temporary folder until the response has ended. Then the file
 * is removed, and reading it fails with `AMBIT_ERR_UPLOAD_REMOVED`.
 */
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
   *
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
  /**
   * Whether a field is a file; `undefined` if the schema does not declare the field.
   *
   * @param field Its name in the form.
   */
  isFile(field: string): boolean | undefined;
  /**
   * Whether the value of a field may be text.
   *
   * @param field Its name in the form.
   */
  isText(field: string): boolean;
  /**
   * Whether the value of a field is an array, also if the field comes once.
   *
   * @param field Its name in the form.
   */
  isList(field: string): boolean;
  /**
   * Whether the value of a field is an object, which forms carry as JSON.
   *
   * @param field Its name in the form.
   */
  isObject(field: string): boolean;
}
