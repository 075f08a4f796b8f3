/** Owns where not-found handlers apply: each answers for the prefix of the context that owns it. */

import { NotFoundHandlerAlreadySet, OptionInvalid } from '../contract/errors.ts';
import type { Handler } from '../contract/handlers.ts';
import type { ContextNode, NotFoundRecord } from './context-node.ts';
import { define } from './definitions.ts';
import { checkRouteHooks } from './hook-table.ts';
import {
  checkFunction,
  checkTypes,
  functionOrFalse,
  objectOrFalse,
  refuseGenerator,
} from './options/check-options.ts';
import { checkRouteOptions } from './routes/check-route-options.ts';
import type { NotFoundDetails } from './routes/route-record.ts';

/** The context whose URL space a handler set in `node` covers: the nearest with a prefix of its own, or the root. */
function notFoundOwner(node: ContextNode): ContextNode {
  let owner = node;
  while (!owner.ownsNotFound) owner = owner.parent!;
  return owner;
}

/**
 * Sets the handler of that URL space, or the default one where none is given.
 *
 * @throws {NotFoundHandlerAlreadySet} when it has one already, and an error of the catalogue for what is wrong with the arguments.
 */
export function setNotFoundHandler(
  node: ContextNode,
  detailsOrHandler?: unknown,
  second?: Handler,
  isDefault = false,
): void {
  const isHandler = typeof detailsOrHandler === 'function';
  const handler = isHandler ? (detailsOrHandler as Handler) : second || node.app.defaultNotFoundHandler;
  checkFunction(handler, 'setNotFoundHandler');
  refuseGenerator(handler, 'the not-found handler');
  const details = readDetails(isHandler ? {} : detailsOrHandler);
  const owner = notFoundOwner(node);
  if (owner.notFound !== undefined) throw new NotFoundHandlerAlreadySet(owner.prefix || '/');
  const origin = isDefault ? undefined : define(node, 'notFoundHandler', owner.prefix || '/', handler);
  owner.notFound = { node, origin, handler, details, target: { handler, plan: undefined } };
}

/** The details without those that come to nothing. */
function readDetails(given: unknown): NotFoundDetails {
  const owner = 'setNotFoundHandler';
  const makeError = (problem: string): Error => OptionInvalid(owner, problem);
  checkTypes({ options: given }, { options: objectOrFalse }, makeError);
  const details = Object.fromEntries(Object.entries(given || {}).filter(([, value]) => value));
  checkTypes(details, { errorHandler: functionOrFalse }, makeError);
  refuseGenerator(details.errorHandler, 'the error handler');
  checkRouteOptions(details, owner);
  checkRouteHooks(details);
  return details;
}

/** The handler that a request to a route of `node` falls to. */
export function notFoundOf(node: ContextNode): NotFoundRecord {
  let owner = notFoundOwner(node);
  while (owner.notFound === undefined) owner = notFoundOwner(owner.parent!);
  return owner.notFound;
}
