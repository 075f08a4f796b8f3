/** The function that the server of Bun or Deno calls for each request. */

/** @param context What the runtime passes as the second argument, after the request. */
export type ServeRequest = (request: Request, context: unknown) => Response | Promise<Response>;
