/** Decides which errors clients may read, and reports those that they may not: nobody else would see why a request has failed. */
import { inspect } from 'node:util';
import { isCatalogueError } from '../shared/define-error.ts';
import { readField, textOf } from '../shared/thrown-values.ts';
import type { Exchange } from '../types/exchange.ts';
import { warnErrorHidden } from '../types/warnings.ts';

/** Codes of the framework and of Fastify's plugins, which clients may see. Codes of databases and of the system are not for clients. */
const publicCode = /^(?:FST|AMBIT)_/;

/**
 * Whether clients may read the message of an error. The author of the error may have said so in `expose`, as the package `http-errors`
 * does. If not, an error with a status below 500 is for clients, and so is an error of the catalogue, unless it may quote its cause. Other
 * messages may be those of a database or a library, so they are only sent in development.
 */
export function isForClients({ plan }: Exchange, status: number, error: unknown): boolean {
  const expose = readField(error, 'expose');
  if (expose === true) return true;
  if (status < 500) return (expose ?? true) === true;
  return !plan.server.isProduction || (isCatalogueError(error) && readField(error, 'cause') === undefined);
}

/** Returns the code of an error, if it has one that clients may see. */
export function codeOf(error: unknown, isExposed: boolean): string | undefined {
  const code = readField(error, 'code');
  if (typeof code !== 'string' && typeof code !== 'number') return undefined;
  return isExposed || publicCode.test(String(code)) ? String(code) : undefined;
}

/** Reports an error that its client does not get to read, once on stderr, if no logger has reported it. */
export function reportHidden({ plan, method, url }: Exchange, error: unknown): void {
  const { server, info } = plan;
  if (server.hasLogger || server.hasWarnedOfHiddenError) return;
  server.hasWarnedOfHiddenError = true;
  warnErrorHidden(`${method} ${info.url ?? url}`, describe(error));
}

function describe(error: unknown): string {
  try {
    return inspect(error);
  } catch {
    return textOf(error);
  }
}
