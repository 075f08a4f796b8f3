// Owns the check before measuring: that a running server answers a scenario as demanded.
import { isDeepStrictEqual } from 'node:util';
import { WrongAnswer } from './load.mjs';

/**
 * @param {Awaited<ReturnType<typeof import('./load.mjs').openConnections>>} connections
 * @param {import('./scenarios.mjs').Scenario} scenario
 * @returns The exact body every answer under load must have: key order is each server's own, and stays.
 */
export async function checkAnswers(connections, { load, checks }) {
  for (const { question, status, body } of checks) await checkAnswer(connections, question, status, body);
  return checkAnswer(connections, load.question, 200, load.body);
}

async function checkAnswer(connections, question, status, body) {
  const answer = await connections.ask(question);
  const isRight =
    answer.status === status && (body === undefined || isDeepStrictEqual(JSON.parse(answer.body), body));
  if (isRight) return answer.body;
  const expected = body === undefined ? status : `${status} ${JSON.stringify(body)}`;
  throw new WrongAnswer(
    `${question.method} ${question.path} answered ${answer.status} ${answer.body}, expected ${expected}`,
  );
}
