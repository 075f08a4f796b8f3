/** Explains why a schema does not compile: where in the schema the mistake is, and how to correct it. */
import {
  followPointer,
  isPlainObject,
  isStandardSchema,
  joinPointer,
  jsonTypes,
  keywordNames,
  keywords,
  keywordsInShortForm,
  splitReference,
  stepsOf,
  subschemasOf,
  walk,
} from '@ambit/json-schema';
import type { SharedSchemas } from './options.ts';
import { formatNames, isPattern } from './schema-precheck.ts';

type Part = Record<string, unknown>;

/** A schema that does not compile. */
export interface Failure {
  /** The schema. */
  readonly schema: unknown;
  /** The error of the engine. */
  readonly cause: unknown;
}

/** A schema in which a mistake is searched. Its name is the pointer of its root. */
type Document = readonly [name: string, schema: unknown];

/** What can be said about a failure besides the message of the engine. */
export interface Explanation {
  /** A JSON Pointer in a URI fragment, with the `$id` of a shared schema in front; `undefined` if it is not known. */
  readonly schemaPath: string | undefined;
  /** What is wrong at that place: `'int' is not a type`; `undefined` if only the engine's message says it. */
  readonly problem: string | undefined;
  /** How to correct it; `undefined` if that is not known. */
  readonly advice: string | undefined;
  /** The `$id` of the shared schema with the mistake; `undefined` if it is in the schema of the route. */
  readonly sharedId: string | undefined;
}

const maxListedIds = 20;

/** Finds the known name that a misspelled one was probably meant to be. */
type NearestName = (name: string, known: Iterable<string>) => string | undefined;

/**
 * Explains a failure. Engines report the path of a mistake, or only the name of the shared schema (`note#`), or neither.
 *
 * @param failure The schema, and the error that it was refused with.
 * @param shared The shared schemas that it may refer to.
 * @param nearestName Finds the known name that a misspelled one was probably meant to be. By default, no name is suggested.
 */
export function explainFailure(
  { schema, cause }: Failure,
  shared: SharedSchemas,
  nearestName: NearestName = () => undefined,
): Explanation {
  const { message = '', schemaPath: reported } = Object(cause) as { message?: unknown; schemaPath?: unknown };
  const text = String(message);
  const path = typeof reported === 'string' ? asFragment(reported, shared) : undefined;
  const explain = (schemaPath = path, advice?: string, problem?: string): Explanation => {
    const sharedId = schemaPath === undefined ? undefined : sharedIdOf(schemaPath, shared);
    return { schemaPath, problem, advice, sharedId };
  };
  const failed = Object.keys(shared).find((id) => rootPointerOf(id) === path);
  const documents: readonly [Document, ...Document[]] =
    failed === undefined
      ? [
          ['#', schema],
          ...Object.entries(shared).map(([id, each]) => [rootPointerOf(id), each] satisfies Document),
        ]
      : [[rootPointerOf(failed), shared[failed]]];
  const invalid = /schema is invalid: data(\/\S*)? (.*?)(?:, data(?:[ /]|$)|$)/.exec(text);
  if (invalid !== null) {
    const [, pointer = '', expected] = invalid;
    const [[name, document]] = documents;
    const { problem, advice } = explainValue(document, pointer, expected!, nearestName);
    return explain(`${name}${pointer}`, advice, problem);
  }
  const [, type] = /^type must be one of .*; got "([^"]*)"/.exec(text) ?? [];
  if (type !== undefined) return explain(path, adviseType(type, nearestName), `'${type}' is not a type`);
  const [, written] = /\bat (?:path )?"([^"]*#[^"]*)"/.exec(text) ?? [];
  if (written !== undefined) {
    const format = /unknown format "([^"]+)"/.exec(text)?.[1];
    const advice = format && didYouMean(format, formatNames, nearestName);
    return explain(asFragment(written, shared), advice, format && `'${format}' is not a format`);
  }
  for (const [pattern, findIn, advise] of mistakes) {
    const groups = pattern.exec(text);
    if (groups === null) continue;
    const isPlaced = failed === undefined && path !== undefined;
    const found = isPlaced ? path : (findPart(documents, (part, at) => findIn(part, groups, at)) ?? path);
    if (found !== undefined || advise !== undefined)
      return explain(found, advise?.(groups, { schema, shared, nearestName }), problemOf(groups));
  }
  return explain();
}

/** Names that are too short, or too much like words, to be taken for a misspelled keyword. */
const unlikely: ReadonlySet<string> = new Set(['not', 'if', 'then', 'else', 'xml']);
const likelyKeywords = keywordNames.filter((keyword) => !unlikely.has(keyword));
const knownKeywords: ReadonlySet<string> = new Set([...keywords.keys(), ...keywordNames]);

/**
 * Finds a keyword that does not exist and is nearly one that does: `propertys`. Ajv refuses unknown keywords itself; what ignores them, such
 * as a serializer, would silently lose what they describe. Other unknown keywords, and `x-…`, are annotations.
 *
 * @param schema The schema.
 * @param nearestName Finds the known name that a misspelled one was probably meant to be.
 */
export function misspelledKeyword(
  schema: unknown,
  nearestName: (name: string, known: Iterable<string>, mostEdits?: number) => string | undefined,
): string | undefined {
  for (const name of keywordsIn(schema, new Set()))
    if (!knownKeywords.has(name) && nearestName(name, likelyKeywords, name.length < 8 ? 1 : 2) !== undefined)
      return name;
  return undefined;
}

/** The names in a schema, and in the schemas in its keywords. What is in other names is no schema. */
function* keywordsIn(schema: unknown, seen: Set<unknown>): Generator<string> {
  if (!isPlainObject(schema) || isStandardSchema(schema) || seen.has(schema)) return;
  seen.add(schema);
  yield* Object.keys(schema);
  for (const { keyword, schema: inner } of subschemasOf(schema))
    if (keywords.has(keyword)) yield* keywordsIn(inner, seen);
}

function findPart(
  documents: readonly Document[],
  search: (part: Part, pointer: string) => readonly string[] | false | undefined,
): string | undefined {
  for (const [name, document] of documents) {
    for (const { schema, pointer } of walk(document, name)) {
      const steps = isPlainObject(schema) && search(schema, pointer);
      if (steps) return steps.reduce(joinPointer, pointer);
    }
  }
  return undefined;
}

/**
 * Completes a path that an engine reports: a pointer in the schema of the route, or a pointer behind the name of a shared schema. Ajv writes
 * the name of the schema that refers to it in front.
 */
function asFragment(path: string, shared: SharedSchemas): string {
  if (path === '' || path.startsWith('/')) return `#${path}`;
  if (path.startsWith('#') || sharedIdOf(path, shared) !== undefined) return path;
  const [before, pointer] = splitReference(path);
  const name = Object.keys(shared)
    .map(rootPointerOf)
    .find((each) => `${before}#`.endsWith(each));
  return name === undefined ? path : name + pointer;
}

function sharedIdOf(schemaPath: string, shared: SharedSchemas): string | undefined {
  return Object.keys(shared).find((id) => schemaPath.startsWith(rootPointerOf(id)));
}

/** The pointer of the root of a shared schema. */
export function rootPointerOf(id: string): string {
  return `${id.replace(/#$/, '')}#`;
}

/** What advice needs besides the message. */
interface Known {
  readonly schema: unknown;
  readonly shared: SharedSchemas;
  readonly nearestName: NearestName;
}

/** Mistakes whose place engines do not tell. */
type Mistake = readonly [
  message: RegExp,
  /**
   * Says whether a subschema is the one that is searched, by the names that lead from it to the mistake.
   *
   * @param pointer That of the subschema.
   */
  findIn: (part: Part, groups: RegExpExecArray, pointer: string) => readonly string[] | false | undefined,
  advise?: (groups: RegExpExecArray, known: Known) => string | undefined,
];

/** Where Ajv ignores defaults: in schemas of these keywords. */
const branchSteps = /\/(?:anyOf|oneOf|not|if|contains|propertyNames)(?:\/|$)/;
const ignoredDefault = /default is ignored for: .*?(?:\.([\w$]+)|\[("(?:.*)"|\d+)\])$/;

const mistakes: readonly Mistake[] = [
  [
    /unknown keyword: "([^"]+)"/,
    (part, [, keyword]) => Object.hasOwn(part, keyword!) && [],
    ([, keyword], known) => adviseKeyword(keyword!, known),
  ],
  [
    /can't resolve reference (\S+?):? |Cannot find reference "([^"]+)"/,
    ({ $ref }, [, ofAjv, ofSerializer]) => $ref === (ofAjv ?? ofSerializer) && [],
    ([, ofAjv, ofSerializer], known) => adviseReference((ofAjv ?? ofSerializer)!, known),
  ],
  [/nvalid regular expression/, findPattern],
  [
    /default is ignored in the schema root/,
    (part, _, at) => at.endsWith('#') && 'default' in part && ['default'],
  ],
  [ignoredDefault, (part, groups, at) => branchSteps.test(at) && findDefault(part, groups)],
  // A branch may refer to the schema with the default.
  [ignoredDefault, findDefault],
  [
    /^"nullable" cannot be used without "type"/,
    ({ nullable, type }) => nullable !== undefined && type === undefined && ['nullable'],
  ],
  [
    /^type: null contradicts nullable: false/,
    ({ nullable, type }) => nullable === false && [type].flat().includes('null') && ['nullable'],
  ],
  [
    /^([$\w-]+) value must be \["(.*)"\]/,
    (part, [, keyword, types]) =>
      Object.hasOwn(part, keyword!) && !types!.split('","').includes(typeof part[keyword!]) && [keyword!],
  ],
  [/^strict mode: "(.*)" without "(if|contains)" is ignored/, hasWithout],
  [/^strict mode: "(if)" without "(then)" and "(else)" is ignored/, hasWithout],
  [/^strict mode: "(minContains)" == 0 without "(maxContains)"/, hasWithout],
  [
    /^strict mode: "minContains" > "maxContains"/,
    ({ minContains, maxContains }) => Number(minContains) > Number(maxContains) && ['minContains'],
  ],
  [
    /^strict mode: "additionalItems" is ignored/,
    (part) => 'additionalItems' in part && !Array.isArray(part.items) && ['additionalItems'],
  ],
  [
    /^strict mode: property (.*) matches pattern (.*) \(use/,
    ({ properties, patternProperties }, [, name, pattern]) =>
      Object.hasOwn(Object(properties), name!) &&
      Object.hasOwn(Object(patternProperties), pattern!) && ['patternProperties', pattern!],
  ],
  [/^async schema in sync schema/, ({ $async }) => $async === true && ['$async']],
  [
    /^NOT SUPPORTED: keyword "(id)"/,
    ({ id }) => id !== undefined && ['id'],
    ([, id], { schema, nearestName }) => adviseSchema(id, Object(schema).id, nearestName),
  ],
  [/^invalid anchor "(.*)"/, ({ $anchor }, [, name]) => $anchor === name && ['$anchor']],
  [
    /^reference "(.*)" resolves to more than one schema/,
    ({ $id, $anchor }, [, name]) =>
      ($id === name || `#${$anchor}` === name) && [$id === name ? '$id' : '$anchor'],
  ],
  [
    /^\$schema must be a string/,
    ({ $schema }) => $schema !== undefined && typeof $schema !== 'string' && ['$schema'],
  ],
  [/^no schema with key or ref "(.*)"/, ({ $schema }, [, uri]) => $schema === uri && ['$schema']],
  [
    /^a schema of the dialect \S+ refers to '(.*?)', which/,
    ({ $ref }, [, id]) =>
      typeof $ref === 'string' && rootPointerOf($ref).startsWith(rootPointerOf(id!)) && ['$ref'],
  ],
];

function findPattern({ pattern, patternProperties }: Part): readonly string[] | false {
  if (typeof pattern === 'string' && !isPattern(pattern)) return ['pattern'];
  const name = Object.keys(Object(patternProperties)).find((each) => !isPattern(each));
  return name !== undefined && ['patternProperties', name];
}

function findDefault(part: Part, [, name, quoted]: RegExpExecArray): readonly string[] | undefined {
  const key = name ?? String(JSON.parse(quoted!));
  const lists = ['properties', 'items'] as const;
  const list = lists.find((each) => Object(Object(Object(part[each])[key])).default !== undefined);
  return list && [list, key, 'default'];
}

function hasWithout(part: Part, [, keyword, ...others]: RegExpExecArray): readonly string[] | false {
  return Object.hasOwn(part, keyword!) && !others.some((each) => each in part) && [keyword!];
}

function adviseKeyword(keyword: string, { schema, nearestName }: Known): string | undefined {
  const [misusedKeyword] = keywordsInShortForm(schema);
  if (keyword === 'optional') return howToRequire;
  const ofProperty = adviseSchema(keyword, Object(schema)[keyword], nearestName);
  if (ofProperty !== undefined) return ofProperty;
  return misusedKeyword === undefined
    ? didYouMean(keyword, keywordNames, nearestName, keywordSynonyms)
    : `'${misusedKeyword}' is a keyword, so this is not the short form: list the names under \`properties\``;
}

function adviseReference(reference: string, { shared, nearestName }: Known): string | undefined {
  const [id] = splitReference(reference);
  if (id === '') return undefined;
  const ids = Object.keys(shared);
  if (ids.length === 0) return 'no shared schema is visible here';
  const listed = ids.slice(0, maxListedIds).map((each) => `'${each}'`);
  const more = ids.length > maxListedIds ? ` and ${ids.length - maxListedIds} more` : '';
  const visible = `he shared schemas visible here are ${listed.join(', ')}${more}`;
  const meant = didYouMean(id, ids, nearestName);
  return meant === undefined ? `t${visible}` : `${meant} T${visible}`;
}

/** What is wrong with a value that the meta-schema refuses. Most often it is the name of a type. */
function explainValue(
  schema: unknown,
  pointer: string,
  expected: string,
  nearestName: NearestName,
): Pick<Explanation, 'problem' | 'advice'> {
  const keyword = stepsOf(pointer).at(-1);
  const value = followPointer(schema, pointer);
  if (keyword === 'type' && typeof value === 'string')
    return { problem: `'${value}' is not a type`, advice: adviseType(value, nearestName) };
  if (keyword === 'required' && typeof value === 'boolean')
    return { problem: `\`required\` ${expected}`, advice: howToRequire };
  const advice =
    expected === 'must be object,boolean' ? adviseSchema(keyword, value, nearestName) : undefined;
  return { problem: keyword && `\`${keyword}\` ${expected.replaceAll(',', ' or ')}`, advice };
}

/** For the name of a type where a schema belongs. */
function adviseSchema(
  name: string | undefined,
  value: unknown,
  nearestName: NearestName,
): string | undefined {
  if (typeof value !== 'string') return undefined;
  const type = typeSynonyms.get(value.toLowerCase()) ?? nearestName(value, jsonTypes);
  return type && `write \`${name}: { type: '${type}' }\``;
}

/** Suggests a type: misspelled types are the most common reason why the meta-schema refuses a schema. */
function adviseType(name: string, nearestName: NearestName): string | undefined {
  const format = formatSynonyms.get(name.toLowerCase());
  if (format !== undefined) return `did you mean type 'string' with format '${format}'?`;
  if (name === 'any') return 'leave `type` out to allow any value';
  return didYouMean(name, jsonTypes, nearestName, typeSynonyms);
}

function problemOf([message, name, otherName]: RegExpExecArray): string | undefined {
  if (message.startsWith('unknown keyword')) return `'${name}' is not a keyword`;
  if (message.startsWith('NOT SUPPORTED')) return `'${name}' is not a keyword here`;
  return /resolve reference|find reference/.test(message)
    ? `'${name ?? otherName}' leads to no schema`
    : undefined;
}

/** What people write for types and keywords, because other languages and libraries call them so. */
const typeSynonyms = new Map([
  ...Object.entries({
    int: 'integer',
    long: 'integer',
    float: 'number',
    double: 'number',
    decimal: 'number',
  }),
  ...Object.entries({ bool: 'boolean', str: 'string', text: 'string', list: 'array', tuple: 'array' }),
  ...Object.entries({ dict: 'object', map: 'object', record: 'object', none: 'null', undefined: 'null' }),
]);
const formatSynonyms = new Map([
  ...Object.entries({ date: 'date', time: 'time', datetime: 'date-time', timestamp: 'date-time' }),
  ...Object.entries({
    'date-time': 'date-time',
    uuid: 'uuid',
    guid: 'uuid',
    email: 'email',
    url: 'uri',
    uri: 'uri',
  }),
]);
const keywordSynonyms = new Map(
  Object.entries({ min: 'minimum', max: 'maximum', regex: 'pattern', regexp: 'pattern', values: 'enum' }),
);
const howToRequire = 'properties are optional, unless their object lists their names in `required`';

function didYouMean(
  name: string,
  names: Iterable<string>,
  nearestName: NearestName,
  synonyms: ReadonlyMap<string, string> = new Map(),
): string | undefined {
  const meant = synonyms.get(name.toLowerCase()) ?? nearestName(name, names);
  return meant === undefined || meant === name ? undefined : `did you mean '${meant}'?`;
}
