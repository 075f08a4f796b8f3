/** Owns the text of a document. Operations are written one by one, and parts that they have in common only once. */
import type { OpenAPIDocument } from '../document-types.ts';
import { DescribedOperation } from './described-operation.ts';
import type { OperationTail } from './described-parts.ts';

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

  /** The document as an object that belongs to the caller. */
  object(): OpenAPIDocument {
    const document = JSON.parse(this.#write()) as OpenAPIDocument;
    return this.#transform === undefined ? document : this.#transform(document);
  }

  #write(): string {
    const tails = new Map<OperationTail, string>();
    const fields = this.#fields.map(([name, value]) => {
      const text = value instanceof Map ? itemText(value, tails) : JSON.stringify(value);
      return `${JSON.stringify(name)}:${text}`;
    });
    return `{${fields.join()}}`;
  }
}

function itemText(item: PathItem, tails: Map<OperationTail, string>): string {
  let text = '';
  for (const [name, field] of item) {
    const value = field instanceof DescribedOperation ? field.text(tails) : itemText(field, tails);
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${value}`;
  }
  return `{${text}}`;
}
