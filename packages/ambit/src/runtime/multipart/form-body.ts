/** Makes the body of a request from the fields of its form. */
import { MultipartInvalid } from '../../contract/errors.ts';
import type { FormShape } from '../../contract/multipart.ts';
import type { PoisoningAction } from '../../contract/parsers.ts';
import { isObject } from '../../shared/plain-object.ts';

/** A field and its value, in the order in which they came. */
export interface FormEntry {
  readonly field: string;
  readonly value: unknown;
}

/** What to do about fields that could reach a prototype: the options for JSON bodies. */
export interface PoisoningActions {
  readonly onProto: PoisoningAction;
  readonly onConstructor: PoisoningAction;
}

/**
 * A field that comes several times becomes an array.
 *
 * @throws {MultipartInvalid} for a field that could reach a prototype.
 */
export function makeFormBody(
  entries: readonly FormEntry[],
  shape: FormShape,
  actions: PoisoningActions,
): Record<string, unknown> {
  const values = new Map<string, unknown[]>();
  for (const { field, value } of entries) {
    const action = poisoningAction(field, value, actions);
    if (action === 'error') throw new MultipartInvalid(`the field '${field}' is not allowed`);
    if (action === 'remove') continue;
    const present = values.get(field);
    if (present === undefined) values.set(field, [value]);
    else present.push(value);
  }
  // Not by assignment, which would set the prototype.
  return Object.fromEntries(
    [...values].map(([field, list]) => [field, list.length > 1 || shape.isList(field) ? list : list[0]]),
  );
}

function poisoningAction(
  field: string,
  value: unknown,
  { onProto, onConstructor }: PoisoningActions,
): PoisoningAction {
  if (field === '__proto__') return onProto;
  return field === 'constructor' && isObject(value) && Object.hasOwn(value, 'prototype')
    ? onConstructor
    : 'ignore';
}
