/** The options of responses that are streams of items. Not in Fastify. */

/** How a route sends streams of items. */
export interface StreamOptions {
  /**
   * How often an event stream gets a comment, in milliseconds, so that proxies and clients do not close the connection: an integer > 0, or
   * `false` for never. Default 15,000. If there is no event yet, the first comment also sends the head of the response.
   */
  heartbeatMs?: number | false;
  /** How long a stream may continue, in milliseconds, after `close()` has aborted `request.signal`: an integer >= 0. Default 5,000. */
  closeMs?: number;
}
