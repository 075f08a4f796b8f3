/** The responses to injected requests, and the chain that builds such a request. */
import type { Readable } from 'node:stream';

/** The response to an injected request. */
export interface InjectResponse {
  /** The status. */
  statusCode: number;
  /** The reason phrase of the status. */
  statusMessage: string;
  /** The headers, names in lower case. */
  headers: Record<string, string | string[] | number | undefined>;
  /** The trailers. */
  trailers: Record<string, string>;
  /** The body as text. */
  payload: string;
  /** The same as `payload`. */
  body: string;
  /** The body as bytes. */
  rawPayload: Buffer;
  /** The cookies that the response sets. */
  cookies: { name: string; value: string; [attribute: string]: unknown }[];
  /**
   * Parses the body as JSON.
   *
   * @returns The value.
   * @throws {SyntaxError} if it is not JSON.
   */
  json<T = unknown>(): T;
  /** Reads the body as a stream. */
  stream(): Readable;
}

/** A chain that builds an injected request: `app.inject().get('/').headers({})`. */
export interface InjectChain extends Promise<InjectResponse> {
  /**
   * Sets the method to GET.
   *
   * @param url The URL.
   */
  get(url: string): InjectChain;
  /**
   * Sets the method to HEAD.
   *
   * @param url The URL.
   */
  head(url: string): InjectChain;
  /**
   * Sets the method to POST.
   *
   * @param url The URL.
   */
  post(url: string): InjectChain;
  /**
   * Sets the method to PUT.
   *
   * @param url The URL.
   */
  put(url: string): InjectChain;
  /**
   * Sets the method to PATCH.
   *
   * @param url The URL.
   */
  patch(url: string): InjectChain;
  /**
   * Sets the method to DELETE.
   *
   * @param url The URL.
   */
  delete(url: string): InjectChain;
  /**
   * Sets the method to OPTIONS.
   *
   * @param url The URL.
   */
  options(url: string): InjectChain;
  /**
   * Sets the method to TRACE.
   *
   * @param url The URL.
   */
  trace(url: string): InjectChain;
  /**
   * Sets the body.
   *
   * @param body An object is sent as JSON.
   */
  body(body: string | object | Buffer): InjectChain;
  /**
   * The same as `body`.
   *
   * @param payload An object is sent as JSON.
   */
  payload(payload: string | object | Buffer): InjectChain;
  /**
   * Sets the headers.
   *
   * @param headers The values by name.
   */
  headers(headers: object): InjectChain;
  /**
   * Sets the query string.
   *
   * @param query The text, or the values by name.
   */
  query(query: string | object): InjectChain;
  /**
   * Sets cookies.
   *
   * @param cookies The values by name.
   */
  cookies(cookies: object): InjectChain;
  /**
   * Sends the request.
   *
   * @returns A promise of the response.
   */
  end(): Promise<InjectResponse>;
  /**
   * Sends the request.
   *
   * @param callback Gets the response, or the error.
   */
  end(callback: (error: Error | undefined, response: InjectResponse | undefined) => void): void;
}
