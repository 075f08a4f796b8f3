/** Converts one keyword with its value: from draft 7 to 2020-12, and from 2020-12 to the keywords that a document may contain. */
import { type Keyword, keywords } from '@ambit/json-schema';
import { isObject, type Json, setMember } from '../json.ts';
import type { Conversion } from './convert-schema.ts';
import { isReferred, type SchemaLocation, type Target } from './schema-location.ts';

/** How a keyword is converted. `later`: only 2020-12 defines it; in draft 7 it has no effect, so a document must not contain it. */
type KeywordKind = 'schema' | 'list' | 'map' | 'value' | 'consumed' | 'reference' | 'special' | 'later';

/** Keywords that the document does not need: identifiers, and instructions to the validator. */
const consumed = [
  '$id',
  'id',
  '$schema',
  '$anchor',
  '$dynamicAnchor',
  '$recursiveAnchor',
  '$vocabulary',
  '$async',
  'nullable',
  'errorMessage',
  '~standard',
];

/** The keywords that differ between draft 7 and 2020-12. */
const conversions: Readonly<Record<string, (conversion: Conversion, value: unknown) => void>> = {
  items: convertItems,
  additionalItems: convertAdditionalItems,
  definitions: convertDefinitions,
  $defs: convertDefinitions,
  dependencies: convertDependencies,
};

const kinds: ReadonlyMap<string, KeywordKind> = new Map<string, KeywordKind>([
  ...[...keywords].map(([name, keyword]): [string, KeywordKind] => [name, kindOf(name, keyword)]),
  ...Object.keys(conversions).map((name): [string, KeywordKind] => [name, 'special']),
  ...['xml', 'externalDocs'].map((name): [string, KeywordKind] => [name, 'value']),
  ...['$ref', '$recursiveRef'].map((name): [string, KeywordKind] => [name, 'reference']),
  ...consumed.map((name): [string, KeywordKind] => [name, 'consumed']),
]);

function kindOf(name: string, { contains, only }: Keyword): KeywordKind {
  if (only === '2020-12' && name !== 'contentSchema') return 'later';
  return contains === 'schema' || contains === 'list' || contains === 'map' ? contains : 'value';
}

/** Writes the converted keyword into `out`. @throws {SchemaProblem} */
export function convertKeyword(conversion: Conversion, keyword: string, value: unknown): void {
  const { converter, location, out } = conversion;
  switch (kinds.get(keyword)) {
    case 'value':
      // An empty list requires nothing, and OpenAPI 3.0 does not allow it.
      if (keyword !== 'required' || !Array.isArray(value) || value.length > 0)
        out[keyword] = converter.copy(value);
      break;
    case 'schema':
      out[keyword] = converter.subschema(value, location);
      break;
    case 'map':
      out[keyword] = converter.map(value, location);
      break;
    case 'list':
      addTo(out, keyword, converter.list(value, location));
      break;
    case 'reference':
      refer(conversion, converter.follow(value, location));
      break;
    case 'special':
      conversions[keyword]!(conversion, value);
      break;
    case 'later':
      if (!isDraft7(location)) convertDraft2020(conversion, keyword, value);
      break;
    case 'consumed':
      break;
    default:
      convertUnknown(conversion, keyword, value);
  }
}

function isDraft7({ part }: SchemaLocation): boolean {
  return part.base.dialect.name === 'draft-07';
}

/** Converts a keyword that no dialect defines. */
function convertUnknown({ converter, out }: Conversion, keyword: string, value: unknown): void {
  if (keyword === '$merge' || keyword === '$patch')
    throw converter.problem(`"${keyword}" has no counterpart in OpenAPI`);
  if (keyword === 'discriminator' || keyword.startsWith('x-')) out[keyword] = converter.copy(value);
  else out[`x-${keyword}`] = converter.copy(value);
}

/** A list of schemas is a tuple, which 2020-12 calls `prefixItems`. */
function convertItems({ converter, location, out }: Conversion, value: unknown): void {
  if (!Array.isArray(value)) out.items = converter.subschema(value, location);
  // 2020-12 does not allow an empty tuple.
  else if (value.length > 0) out.prefixItems = converter.list(value, location);
}

function convertAdditionalItems({ converter, schema, location, out }: Conversion, value: unknown): void {
  if (isDraft7(location) && Array.isArray(schema.items)) out.items = converter.subschema(value, location);
}

/** Definitions that a reference refers to become components. The others do not affect validation, but stay in `$defs`. */
function convertDefinitions({ converter, location, out }: Conversion, value: unknown): void {
  if (!isObject(value)) return;
  const unused = Object.entries(value).filter(([, subschema]) => !isReferred(subschema, location));
  if (unused.length > 0)
    out.$defs = { ...(out.$defs as Json), ...converter.map(Object.fromEntries(unused), location) };
}

function convertDependencies({ converter, location, out }: Conversion, value: unknown): void {
  // 2020-12 does not define `dependencies`, but Ajv still supports it.
  if (!isObject(value)) return;
  const required: Json = {};
  const schemas: Json = {};
  for (const [name, dependency] of Object.entries(value)) {
    if (Array.isArray(dependency)) setMember(required, name, converter.copy(dependency));
    else setMember(schemas, name, converter.subschemaAt(name, dependency, location));
  }
  const described: Json = {};
  if (Object.keys(required).length > 0) described.dependentRequired = required;
  if (Object.keys(schemas).length > 0) described.dependentSchemas = schemas;
  if (isDraft7(location)) Object.assign(out, described);
  // The schema may already have the new keywords, so they go into `allOf`.
  else if (Object.keys(described).length > 0) addTo(out, 'allOf', [described]);
}

/** Converts the keywords that only 2020-12 defines. */
function convertDraft2020(conversion: Conversion, keyword: string, value: unknown): void {
  const { converter, location, out } = conversion;
  if (keyword === '$dynamicRef') referDynamically(conversion, value);
  else if (keyword === 'prefixItems') out[keyword] = converter.list(value, location);
  else if (keyword === 'dependentSchemas') out[keyword] = converter.map(value, location);
  else if (keyword.startsWith('unevaluated')) out[keyword] = converter.subschema(value, location);
  else out[keyword] = converter.copy(value);
}

/** A document has no `$dynamicRef`. So a schema is described once for each set of targets that its `$dynamicRef`s have. */
function referDynamically(conversion: Conversion, reference: unknown): void {
  const { converter, location } = conversion;
  refer(conversion, converter.follow(reference, location, '$dynamicRef'));
}

function refer({ converter, location, out }: Conversion, target: Target): void {
  if (typeof target.schema === 'boolean') {
    if (!target.schema) addTo(out, 'allOf', [{ not: {} }]);
  } else if (out.$ref === undefined) {
    converter.targets.refer(out, '$ref', target, location);
  } else {
    // The schema has a `$ref` and a `$dynamicRef`, but the document only has `$ref`.
    const reference: Json = {};
    converter.targets.refer(reference, '$ref', target, location);
    addTo(out, 'allOf', [reference]);
  }
}

/** Adds schemas to a keyword that may already have some. */
function addTo(out: Json, keyword: string, schemas: readonly unknown[]): void {
  out[keyword] = [...((out[keyword] as unknown[]) ?? []), ...schemas];
}
