/** Owns where not-found handlers apply: each answers for the prefix of the context that owns it. */
import type { Handler } from '../contract/context.ts';
import { NotFoundHandlerAlreadySet, OptionInvalid } from '../contract/errors.ts';
import type { ContextNode, NotFoundRecord } from './context-node.ts';
import { checkRouteHooks } from './hook-table.ts';
import { checkTypes, functionOrFalse, objectOrFalse } from './option-rules.ts';
import { checkRouteOptions } from './route-options.ts';
import type { NotFoundDetails } from './route-record.ts';

/** The context whose URL space a handler set in `node` covers: the nearest with a prefix of its own, or the root. */
export function notFoundOwner(node: ContextNode): ContextNode {
  let owner = node;
  while (!owner.ownsNotFound) owner = owner.parent!;
  return owner;
}

/** The details without those that come to nothing. @throws An error of the catalogue that names the wrong one. */
export function readNotFoundDetails(given: unknown): NotFoundDetails {
  const owner = 'setNotFoundHandler';
  const makeError = (problem: string): Error => OptionInvalid(owner, problem);
  checkTypes({ options: given }, { options: objectOrFalse }, makeError);
  const details = Object.fromEntries(Object.entries(given || {}).filter(([, value]) => value));
  checkTypes(details, { errorHandler: functionOrFalse }, makeError);
  checkRouteOptions(details, owner);
  checkRouteHooks(details);
  return details;
}

/** @throws {NotFoundHandlerAlreadySet} when that URL space has a handler already. */
export function setNotFoundHandler(node: ContextNode, handler: Handler, details: NotFoundDetails): void {
  const owner = notFoundOwner(node);
  if (owner.notFound !== undefined) throw new NotFoundHandlerAlreadySet(owner.prefix || '/');
  owner.notFound = { node, handler, details, target: { handler, plan: undefined } };
}

/** The handler that a request to a route of `node` falls to. */
export function notFoundOf(node: ContextNode): NotFoundRecord {
  let owner = notFoundOwner(node);
  while (owner.notFound === undefined) owner = notFoundOwner(owner.parent!);
  return owner.notFound;
}
