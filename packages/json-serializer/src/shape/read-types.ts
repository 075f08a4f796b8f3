/** Reads the keyword `type` for output: one type, several types, or a type that follows from other keywords. */
import { type JsonType, joinPointer, jsonTypes, keyword, type Part, SchemaError } from '@ambit/json-schema';

// The order decides if a schema has keywords of several types.
const keywordsOfType: readonly (readonly [JsonType, readonly string[]])[] = [
  [
    'object',
    [
      'properties',
      'required',
      'additionalProperties',
      'patternProperties',
      'maxProperties',
      'minProperties',
      'dependencies',
    ],
  ],
  ['array', ['items', 'additionalItems', 'maxItems', 'minItems', 'uniqueItems', 'contains']],
  ['string', ['maxLength', 'minLength', 'pattern']],
  ['number', ['multipleOf', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum']],
];

/** The types that all parts allow; empty if nothing is known about the type; undefined if they have no type in common. */
export function readTypes(flat: readonly Part[]): readonly JsonType[] | undefined {
  let common: readonly JsonType[] | undefined;
  let allowNull = true;
  for (const part of flat) {
    const own = readOwnTypes(part);
    if (own === undefined) continue;
    common = common === undefined ? own : intersectTypes(common, own);
    allowNull &&= own.includes('null') || part.schema.nullable === true;
  }
  if (common?.length === 0) return allowNull ? ['null'] : undefined;
  return common ?? inferType(flat);
}

/** Whether a schema does not restrict the type. In 2020-12, a value may then have any type. */
export function isOpen(flat: readonly Part[]): boolean {
  let isDraft2020 = false;
  for (const part of flat) {
    if (keyword(part, 'type') !== undefined) return false;
    isDraft2020 ||= part.base.dialect.name === '2020-12';
  }
  return isDraft2020;
}

export function readOwnTypes(part: Part): readonly JsonType[] | undefined {
  const type = keyword(part, 'type');
  if (type === undefined) return undefined;
  const types: unknown[] = Array.isArray(type) ? type : [type];
  for (const name of types) {
    if (!jsonTypes.includes(name as JsonType)) {
      throw new SchemaError(
        `type must be one of ${jsonTypes.join(', ')}; got ${JSON.stringify(name)}`,
        joinPointer(part.pointer, 'type'),
      );
    }
  }
  if (types.length === 0) throw new SchemaError('type must not be empty', joinPointer(part.pointer, 'type'));
  return types as JsonType[];
}

function intersectTypes(left: readonly JsonType[], right: readonly JsonType[]): JsonType[] {
  const leftNumbers = left.includes('number');
  const rightNumbers = right.includes('number');
  const common = left.filter((type) => right.includes(type) || (type === 'integer' && rightNumbers));
  if (leftNumbers && !rightNumbers && right.includes('integer')) common.push('integer');
  return [...new Set(common)];
}

function inferType(flat: readonly Part[]): readonly JsonType[] {
  for (const [type, keywords] of keywordsOfType) {
    if (flat.some((part) => keywords.some((name) => keyword(part, name) !== undefined))) return [type];
  }
  return [];
}
