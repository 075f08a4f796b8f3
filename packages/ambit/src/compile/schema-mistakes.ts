/** Reports what is legal in the schemas of a route but almost certainly a mistake: names of parts, short forms, required properties. */

import type { ContextNode } from '../context/context-node.ts';
import { checkSpelling, type KnownNames } from '../context/options/check-spelling.ts';
import type { RouteRecord } from '../context/routes/route-record.ts';
import type { Compatibility } from '../contract/compatibility.ts';
import { OptionInvalid } from '../contract/errors.ts';
import type { RouteSchema } from '../contract/route-schema.ts';
import { warnMisspelled, warnUndeclared } from '../contract/warnings.ts';
import type { ContentSchemas } from '../schemas/content-schemas.ts';
import { findMisplacedFile, type MisplacedFile } from '../schemas/misplaced-files.ts';
import type { RequestSchemas } from '../schemas/request-schemas.ts';
import { keywordsInShortForm } from '../schemas/short-form.ts';
import { findUndeclared, type Undeclared, type UndeclaredOptions } from '../schemas/undeclared-properties.ts';

/** Keys that OpenAPI plugins read. */
const annotations: ReadonlySet<string> = new Set([
  ...['tags', 'summary', 'description', 'operationId', 'security', 'deprecated', 'hide', 'externalDocs'],
  ...['consumes', 'produces'],
]);

const spelling: KnownNames = {
  known: ['body', 'querystring', 'query', 'params', 'headers', 'response'],
  isFree: (name) => annotations.has(name) || /^x-/i.test(name),
};

const requestParts = ['params', 'querystring', 'headers', 'body'] as const;

/** One schema of a route, with its name in messages. */
type NamedSchema = readonly [part: string, schema: unknown];

/** Checks the schemas of one route. An automatic HEAD route is not checked: its schemas are those of its GET. */
export class SuspectSchemas {
  readonly #route: string;
  readonly #node: ContextNode;
  readonly #isForeignRequest: boolean;
  readonly #isForeignResponse: boolean;

  constructor({ options }: RouteRecord, node: ContextNode) {
    this.#route = `${options.method} ${options.url}`;
    this.#node = node;
    this.#isForeignRequest = Boolean(options.validatorCompiler) || node.schemas.hasForeignValidator;
    this.#isForeignResponse = Boolean(options.serializerCompiler) || node.schemas.hasForeignSerializer;
  }

  get #misspelledNames(): Compatibility['misspelledNames'] {
    return this.#node.app.compatibility.misspelledNames;
  }

  /** A file where there can be none. In Fastify, and under other validators, the format `binary` may mean anything. */
  findMisplacedFile(
    request: RequestSchemas,
    response: ReadonlyMap<string, ContentSchemas>,
    readsForms: boolean,
  ): MisplacedFile | undefined {
    if (this.#isForeignRequest || this.#misspelledNames !== 'error') return undefined;
    return findMisplacedFile(request, response, () => this.#node.schemas.all(), readsForms);
  }

  /** @throws {UnknownOption} */
  checkNames(schema: RouteSchema): void {
    checkSpelling(schema, spelling, `the schema of ${this.#route}`, this.#misspelledNames);
  }

  checkRequest(schemas: RequestSchemas): void {
    const { mode, customOptions } = this.#node.app.options.ajv;
    if (this.#isForeignRequest || mode !== undefined) return;
    const removal = customOptions?.removeAdditional ?? true;
    const others = removal === 'all' ? 'always' : removal ? 'removed' : 'refused';
    for (const part of requestParts) {
      const schema = part === 'body' ? schemas.body : { whole: schemas[part] };
      for (const named of listSchemas(part, schema)) this.#warnUndeclared(named, others, describeRequest);
    }
  }

  /** @throws {OptionInvalid} for a schema that is neither full nor the short form: every property would be sent. */
  checkResponse(response: ReadonlyMap<string, ContentSchemas>): void {
    if (this.#isForeignResponse) return;
    for (const [status, entry] of response) {
      for (const named of listSchemas(`response ${status}`, entry)) {
        this.#checkForm(named);
        this.#warnUndeclared(named, 'merged', describeResponse);
      }
    }
  }

  #checkForm([part, schema]: NamedSchema): void {
    const keywords = keywordsInShortForm(schema).map((keyword) => `'${keyword}'`);
    if (keywords.length === 0) return;
    const problem = `${part} is not the short form, because it has the keyword ${keywords.join(', ')}, and as a full schema it does not declare its other names`;
    const error = new OptionInvalid(`the schema of ${this.#route}`, problem);
    if (this.#misspelledNames === 'error') throw error;
    warnMisspelled(error.message);
  }

  #warnUndeclared(
    [part, schema]: NamedSchema,
    others: UndeclaredOptions['others'],
    describe: (found: Undeclared) => string | undefined,
  ): void {
    const shared = (): Record<string, unknown> => this.#node.schemas.all();
    for (const found of findUndeclared(schema, { shared, others })) {
      const problem = describe(found);
      if (problem === undefined) continue;
      const meant = found.nearest === undefined ? '' : `. Did you mean '${found.nearest}'?`;
      const place = `the ${part} schema of ${this.#route}, at ${found.pointer},`;
      warnUndeclared(`${place} requires '${found.name}', ${problem}${meant}`);
    }
  }
}

function* listSchemas(
  part: string,
  schemas: ContentSchemas | { readonly whole: unknown } | undefined,
): Generator<NamedSchema> {
  if (schemas === undefined) return;
  if ('whole' in schemas) yield [part, schemas.whole];
  else {
    for (const [mediaType, schema] of schemas.byType) yield [`${part} (${mediaType})`, schema];
    for (const [mediaType, schema] of schemas.items) yield [`${part} (items of ${mediaType})`, schema];
  }
}

/** Where other properties are allowed, a required one need not be declared: only a similar name makes it suspect. */
function describeRequest({ effect, nearest }: Undeclared): string | undefined {
  if (effect === 'never') return 'which additionalProperties forbids: every request fails';
  if (effect === 'removed') return 'which it does not declare: it is removed before the handler runs';
  return nearest === undefined ? undefined : 'which it does not declare';
}

function describeResponse(): string {
  return 'which it does not declare: a reply without this property fails, and a reply with it is sent without it';
}
