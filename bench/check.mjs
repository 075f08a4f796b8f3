// Checks before measuring that a running server sends the responses that a scenario requires.
import { isDeepStrictEqual } from 'node:util';
import { sendRequest } from './load.mjs';
import { WrongResponse } from './responses.mjs';

/**
 * @param {number} port
 * @param {import('./scenarios.mjs').Scenario} scenario
 * @returns The exact body that every response under load must have. The order of keys depends on the server, but never
 *   changes.
 */
export async function checkResponses(port, { load, checks, isSecure }) {
  for (const check of checks) await checkResponse(port, check, isSecure);
  return checkResponse(port, load, isSecure);
}

async function checkResponse(port, { request, status, body }, isSecure) {
  const response = await sendRequest(port, request, isSecure);
  if (response.status === status && (body === undefined || isJsonOf(response, body))) return response.body;
  const expected = body === undefined ? status : `${status} ${JSON.stringify(body)} as application/json`;
  throw new WrongResponse(
    `${request.method} ${request.path} answered ${response.status} ${response.body} as ${response.type}, expected ${expected}`,
  );
}

function isJsonOf({ type, body }, expected) {
  return /^application\/json\b/.test(type) && isDeepStrictEqual(JSON.parse(body), expected);
}
