/** Converts a document whose routes share parts (`memo.ts`) to one without shared parts, so that the caller may change it. */
import type { OpenAPIDocument, OperationObject, PathItemObject } from '../document-types.ts';
import { isObject } from '../json.ts';

export function unshare(document: OpenAPIDocument): OpenAPIDocument {
  const parts = new Parts();
  for (const item of Object.values(document.paths)) unshareOperations(item, parts);
  return document;
}

/** A field of a path item is an operation, or an object with further operations by name. */
function unshareOperations(item: PathItemObject, parts: Parts): void {
  for (const field of Object.values(item)) {
    if (!isObject(field)) continue;
    if ('responses' in field) unshareOperation(field as OperationObject, parts);
    else unshareOperations(field, parts);
  }
}

function unshareOperation(operation: OperationObject, parts: Parts): void {
  const { parameters, requestBody, responses } = operation;
  if (parameters !== undefined) operation.parameters = parameters.map((one) => parts.own(one));
  if (requestBody !== undefined) operation.requestBody = parts.own(requestBody);
  operation.responses = parts.own(responses);
  // This operation keeps the object of all responses, but it may share single responses with others.
  if (operation.responses === responses)
    for (const status of Object.keys(responses)) responses[status] = parts.own(responses[status]!);
}

class Parts {
  /** The parts that already have an owner. The value is the JSON text, which is created for the second owner. */
  readonly #texts = new Map<unknown, string | undefined>();

  /** The first owner gets the part itself, all others get a copy. */
  own<Part>(part: Part): Part {
    if (!this.#texts.has(part)) {
      this.#texts.set(part, undefined);
      return part;
    }
    let text = this.#texts.get(part);
    if (text === undefined) {
      text = JSON.stringify(part);
      this.#texts.set(part, text);
    }
    return JSON.parse(text) as Part;
  }
}
