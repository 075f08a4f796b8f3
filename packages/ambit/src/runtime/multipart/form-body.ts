/** Creates the body of a request from the fields of its form. */

import { isObject } from '../../shared/plain-object.ts';
import { MultipartInvalid } from '../../types/errors.ts';
import type { FormShape } from '../../types/multipart.ts';
import type { PoisoningAction } from '../../types/request.ts';

/** A field of a form, with its value. */
export interface FormEntry {
  readonly field: string;
  readonly value: unknown;
}

/** What to do about fields that could change a prototype: the same options as for JSON bodies. */
export interface PoisoningActions {
  readonly onProto: PoisoningAction;
  readonly onConstructor: PoisoningAction;
}

/**
 * Creates an object with a property for each field. A field that occurs several times becomes an array.
 *
 * @throws {MultipartInvalid} for a field that could change a prototype.
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
    const list = values.get(field);
    if (list === undefined) values.set(field, [value]);
    else list.push(value);
  }
  // `Object.fromEntries`, because an assignment to `__proto__` would set the prototype.
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
