/** Writes an error as problem details (RFC 9457). Nothing of the error leaves the server that is not meant for clients. */
import type { Exchange } from '../contract/exchange.ts';
import type { ProblemDetails } from '../contract/problem.ts';
import { statusText } from '../shared/http-facts.ts';
import { blankType, instanceOf, isProblemType, reservedMembers } from '../shared/problem-members.ts';
import { readField, textOf } from '../shared/thrown-values.ts';
import { listItems } from './problem-items.ts';
import { requestIdText } from './request-ids.ts';

const reserved: ReadonlySet<string> = new Set(reservedMembers);
/** Codes of the framework and of its ecosystem, which are made for clients. Those of databases and of the system are not. */
const publicCode = /^(?:FST|AMBIT)_/;

/** The members of the problem, in the order of RFC 9457, then the extensions. */
export function problemDetails(x: Exchange, status: number, error: unknown): ProblemDetails {
  const own = ownMembers(error);
  const title = typeof own.title === 'string' ? own.title : statusText(status);
  const isExposed = (readField(error, 'expose') ?? status < 500) === true;
  const detail = isExposed ? detailOf(error) : undefined;
  const code = codeOf(error, isExposed);
  const instance = instanceOf(requestIdText(x.id));
  const errors = isExposed ? listItems(error) : undefined;
  return {
    type: isProblemType(own.type) ? own.type : blankType,
    ...(title !== undefined && { title }),
    status,
    // A message that only repeats the status adds nothing.
    ...(detail !== undefined && detail !== title && { detail }),
    ...(instance !== undefined && { instance }),
    ...(code !== undefined && { code }),
    ...(errors !== undefined && { errors }),
    ...extensionsOf(own),
  };
}

/** What an error says about itself as a problem: `defineProblem` makes such errors, and any class may. */
function ownMembers(error: unknown): Record<string, unknown> {
  const own = readField(error, 'problem');
  return typeof own === 'object' && own !== null && !Array.isArray(own)
    ? (own as Record<string, unknown>)
    : {};
}

function extensionsOf(own: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(own).filter(([name]) => !reserved.has(name)));
}

/** The message of an error; of a text that was thrown, the text. */
function detailOf(error: unknown): string | undefined {
  const message = typeof error === 'object' ? readField(error, 'message') : textOf(error);
  return typeof message === 'string' && message !== '' ? message : undefined;
}

function codeOf(error: unknown, isExposed: boolean): string | undefined {
  const code = readField(error, 'code');
  if (typeof code !== 'string' && typeof code !== 'number') return undefined;
  return isExposed || publicCode.test(String(code)) ? String(code) : undefined;
}
