/** Converts one keyword with its value: from draft 7 to 2020-12, and within 2020-12 to what a document may contain. */
import { isObject, type Json, setMember } from '../json.ts';
import type { Conversion } from './convert-schema.ts';
import { kindOfKeyword, laterKeywords } from './keywords.ts';
import { isDynamic, type Located } from './references.ts';
import { isReferredIn } from './referred-definitions.ts';

/** Writes what the keyword means into `out`. @throws {SchemaProblem} */
export function convertKeyword(conversion: Conversion, keyword: string, value: unknown): void {
  const { converter, place, out } = conversion;
  switch (kindOfKeyword.get(keyword)) {
    case 'value':
      out[keyword] = converter.copy(value);
      break;
    case 'schema':
      out[keyword] = converter.inner(value, place);
      break;
    case 'map':
      out[keyword] = converter.map(value, place);
      break;
    case 'list':
      addTo(out, keyword, converter.list(value, place));
      break;
    case 'reference':
      refer(conversion, converter.follow(value, place));
      break;
    case 'consumed':
      break;
    default:
      convertOther(conversion, keyword, value);
  }
}

/** Converts the keywords that differ between draft 7 and 2020-12, and those that no dialect defines. */
function convertOther(conversion: Conversion, keyword: string, value: unknown): void {
  const { converter, place, out } = conversion;
  const special = Object.hasOwn(conversions, keyword) ? conversions[keyword] : undefined;
  if (special !== undefined) special(conversion, value);
  else if (laterKeywords.has(keyword)) {
    if (place.root.dialect === '2020-12') convertLater(conversion, keyword, value);
  } else if (keyword === '$merge' || keyword === '$patch') {
    throw converter.problem(`"${keyword}" has no counterpart in OpenAPI`);
  } else if (keyword === 'discriminator' || keyword.startsWith('x-')) out[keyword] = converter.copy(value);
  else out[`x-${keyword}`] = converter.copy(value);
}

const conversions: Readonly<Record<string, (conversion: Conversion, value: unknown) => void>> = {
  items: convertItems,
  additionalItems: convertAdditionalItems,
  definitions: convertDefinitions,
  $defs: convertDefinitions,
  dependencies: convertDependencies,
};

/** A list of schemas is a tuple, which 2020-12 calls `prefixItems`. */
function convertItems({ converter, place, out }: Conversion, value: unknown): void {
  if (!Array.isArray(value)) out.items = converter.inner(value, place);
  // 2020-12 does not allow an empty tuple.
  else if (value.length > 0) out.prefixItems = converter.list(value, place);
}

function convertAdditionalItems({ converter, schema, place, out }: Conversion, value: unknown): void {
  if (place.root.dialect === 'draft-07' && Array.isArray(schema.items))
    out.items = converter.inner(value, place);
}

/** Definitions that a reference refers to become components. The others do not affect validation, but stay in `$defs`. */
function convertDefinitions({ converter, place, out }: Conversion, value: unknown): void {
  if (!isObject(value)) return;
  const unused = Object.entries(value).filter(([, inner]) => !isReferredIn(place.root, inner));
  if (unused.length > 0)
    out.$defs = { ...(out.$defs as Json), ...converter.map(Object.fromEntries(unused), place) };
}

function convertDependencies({ converter, place, out }: Conversion, value: unknown): void {
  // 2020-12 does not define `dependencies`, but Ajv still supports it.
  if (!isObject(value)) return;
  const required: Json = {};
  const schemas: Json = {};
  for (const [name, dependency] of Object.entries(value)) {
    if (Array.isArray(dependency)) setMember(required, name, converter.copy(dependency));
    else setMember(schemas, name, converter.step(name, dependency, place));
  }
  const described: Json = {};
  if (Object.keys(required).length > 0) described.dependentRequired = required;
  if (Object.keys(schemas).length > 0) described.dependentSchemas = schemas;
  if (place.root.dialect === 'draft-07') Object.assign(out, described);
  // The schema may already have the new keywords, so they go into `allOf`.
  else if (Object.keys(described).length > 0) addTo(out, 'allOf', [described]);
}

/** Converts the keywords that only 2020-12 defines. */
function convertLater(conversion: Conversion, keyword: string, value: unknown): void {
  const { converter, place, out } = conversion;
  if (keyword === '$dynamicRef') referDynamically(conversion, value);
  else if (keyword === 'prefixItems') out[keyword] = converter.list(value, place);
  else if (keyword === 'dependentSchemas') out[keyword] = converter.map(value, place);
  else if (keyword.startsWith('unevaluated')) out[keyword] = converter.inner(value, place);
  else out[keyword] = converter.copy(value);
}

/** A document has no `$dynamicRef`: each of its schemas is described for the targets that it has there. */
function referDynamically(conversion: Conversion, reference: unknown): void {
  const { converter, place } = conversion;
  const first = converter.follow(reference, place);
  refer(conversion, isDynamic(first) ? (place.dynamic.find(first.name) ?? first) : first);
}

function refer({ converter, place, out }: Conversion, target: Located): void {
  if (typeof target.schema === 'boolean') {
    if (!target.schema) addTo(out, 'allOf', [{ not: {} }]);
  } else if (out.$ref === undefined) {
    converter.targets.refer(out, '$ref', target, place);
  } else {
    // The schema has a `$ref` and a `$dynamicRef`, but the document only has `$ref`.
    const reference: Json = {};
    converter.targets.refer(reference, '$ref', target, place);
    addTo(out, 'allOf', [reference]);
  }
}

/** Adds schemas to a keyword that may already have some. */
function addTo(out: Json, keyword: string, schemas: readonly unknown[]): void {
  out[keyword] = [...((out[keyword] as unknown[]) ?? []), ...schemas];
}
