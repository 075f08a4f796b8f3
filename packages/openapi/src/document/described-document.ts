/** Writes a document as text, or as an object. Parts that operations have in common are written once. */
import type { OpenAPIDocument } from '../document-types.ts';
import { isObject } from '../json.ts';
import { OpenAPIError } from '../openapi-error.ts';
import { typeOf } from '../part-checks.ts';
import { DescribedOperation, WrittenTails } from './described-operation.ts';

/** A field of a path item: an operation, or operations by name. */
export type PathItemField = DescribedOperation | PathItem;

export type PathItem = Map<string, PathItemField>;

/** The fields of a document in order. The paths are a `PathItem` by path, everything else is JSON. */
export type DocumentFields = readonly (readonly [name: string, value: unknown])[];

export class DescribedDocument {
  readonly #fields: DocumentFields;
  readonly #transform: ((document: OpenAPIDocument) => OpenAPIDocument) | undefined;

  constructor(
    fields: DocumentFields,
    transform: ((document: OpenAPIDocument) => OpenAPIDocument) | undefined,
  ) {
    this.#fields = fields;
    this.#transform = transform;
  }

  /** The document as JSON. */
  text(): string {
    return this.#transform === undefined ? this.#write() : JSON.stringify(this.object());
  }

  /** The document as an object that belongs to the caller. It consists of parts of this one, so it is created once. */
  object(): OpenAPIDocument {
    const tails = new WrittenTails();
    const fields = this.#fields.map(([name, value]) => [
      name,
      value instanceof Map ? itemObject(value, tails) : JSON.parse(JSON.stringify(value)),
    ]);
    const document = Object.fromEntries(fields) as OpenAPIDocument;
    if (this.#transform === undefined) return document;
    const transformed: unknown = this.#transform(document);
    if (isObject(transformed)) return transformed as unknown as OpenAPIDocument;
    throw new OpenAPIError(
      'AMBIT_ERR_OPENAPI_OPTION',
      `transform must return the document, instead got ${typeOf(transformed)}`,
    );
  }

  #write(): string {
    const tails = new WrittenTails();
    const fields = this.#fields.map(([name, value]) => {
      const text = value instanceof Map ? itemText(value, tails) : JSON.stringify(value);
      return `${JSON.stringify(name)}:${text}`;
    });
    return `{${fields.join()}}`;
  }
}

function itemText(item: PathItem, tails: WrittenTails): string {
  let text = '';
  for (const [name, field] of item) {
    const value = field instanceof DescribedOperation ? field.text(tails) : itemText(field, tails);
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${value}`;
  }
  return `{${text}}`;
}

function itemObject(item: PathItem, tails: WrittenTails): object {
  const object: { [name: string]: object } = {};
  for (const [name, field] of item)
    object[name] = field instanceof DescribedOperation ? field.object(tails) : itemObject(field, tails);
  return object;
}
