/** Converts an error to problem details (RFC 9457). Only the parts of the error that are meant for clients are included. */

import { statusText } from '../shared/http-facts.ts';
import { blankType, isProblemType, problemInstance, reservedMembers } from '../shared/problem-members.ts';
import { readField } from '../shared/thrown-values.ts';
import type { Exchange } from '../types/exchange.ts';
import type { ProblemDetails } from '../types/problem.ts';
import { codeOf, isForClients } from './exposed-errors.ts';
import { listItems } from './problem-items.ts';
import { requestIdText } from './request-ids.ts';

const reserved: ReadonlySet<string> = new Set(reservedMembers);

/** Returns the members of the problem in the order of RFC 9457, then the extensions. */
export function problemDetails(x: Exchange, status: number, error: unknown): ProblemDetails {
  const problem = ownMembers(error);
  const title = typeof problem.title === 'string' ? problem.title : statusText(status);
  const isExposed = isForClients(x, status, error);
  const detail = isExposed ? detailOf(error) : undefined;
  const code = codeOf(error, isExposed);
  const instance = problemInstance(requestIdText(x.id));
  const errors = isExposed ? listItems(error) : undefined;
  return {
    type: isProblemType(problem.type) ? problem.type : blankType,
    ...(title !== undefined && { title }),
    status,
    // A message that only repeats the status adds nothing.
    ...(detail !== undefined && detail !== title && { detail }),
    ...(instance !== undefined && { instance }),
    ...(code !== undefined && { code }),
    ...(errors !== undefined && { errors }),
    ...extensionsOf(problem),
  };
}

/** Returns the field `problem` of an error: errors of `defineProblem` have it, and any class may. */
function ownMembers(error: unknown): Record<string, unknown> {
  const problem = readField(error, 'problem');
  return typeof problem === 'object' && problem !== null && !Array.isArray(problem)
    ? (problem as Record<string, unknown>)
    : {};
}

function extensionsOf(problem: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(problem).filter(([name]) => !reserved.has(name)));
}

/** Returns the message of an error, or a text that was thrown. */
function detailOf(error: unknown): string | undefined {
  const message = typeof error === 'string' ? error : readField(error, 'message');
  return typeof message === 'string' && message !== '' ? message : undefined;
}
