// Owns the requests with a body that several chapters send.

export const json = { 'content-type': 'application/json' };

/** The response to a request that fails validation. */
export const invalid = (message) => ({
  status: 400,
  body: { statusCode: 400, code: 'FST_ERR_VALIDATION', error: 'Bad Request', message },
});

/** @param {unknown} body A text is sent as it is; other values as JSON. */
export function post(body, headers = json) {
  return { method: 'POST', headers, body: typeof body === 'string' ? body : JSON.stringify(body) };
}
