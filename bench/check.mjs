// Owns the check before measuring: a running server must respond to a scenario as demanded.
import { isDeepStrictEqual } from 'node:util';
import { WrongAnswer } from './answers.mjs';
import { ask } from './load.mjs';

/**
 * @param {number} port
 * @param {import('./scenarios.mjs').Scenario} scenario
 * @returns The exact body that every response under load must have. The order of keys depends on the server, but never
 *   changes.
 */
export async function checkAnswers(port, { load, checks, isSecure }) {
  for (const check of checks) await checkAnswer(port, check, isSecure);
  return checkAnswer(port, load, isSecure);
}

async function checkAnswer(port, { request, status, body }, isSecure) {
  const answer = await ask(port, request, isSecure);
  if (answer.status === status && (body === undefined || isJsonOf(answer, body))) return answer.body;
  const expected = body === undefined ? status : `${status} ${JSON.stringify(body)} as application/json`;
  throw new WrongAnswer(
    `${request.method} ${request.path} answered ${answer.status} ${answer.body} as ${answer.type}, expected ${expected}`,
  );
}

function isJsonOf({ type, body }, expected) {
  return /^application\/json\b/.test(type) && isDeepStrictEqual(JSON.parse(body), expected);
}
