/**
 * Converts a value only where it would be invalid without, for schemas in which branches are tried, such as those of `anyOf`: which schemas
 * these are, and the functions that compiled code calls.
 */
import { splitReference } from '@ambit/json-schema';
import type { SharedSchemas, Validator } from './options.ts';

/** The name under which the compiled functions of an artifact load the functions of this file. */
export const conversionModule = 'ambit/conversion';

/** The keywords that try schemas. */
const trying: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'if', 'not', 'contains', 'propertyNames']);

/** Keywords that say the same of a value before and after the conversion of what it contains. */
const steadyKeywords: ReadonlySet<string> = new Set([
  ...['required', 'const', 'enum', 'title', 'description', '$comment', 'examples', 'deprecated'],
]);

/** What a document says, without the documents that it refers to. */
interface Findings {
  readonly tries: boolean;
  readonly hasDefault: boolean;
  /** The shared schemas that it refers to. */
  readonly references: ReadonlySet<string>;
}

/** The findings in shared schemas, by their names: each is read once. */
const findingsInShared = new WeakMap<SharedSchemas, Map<string, Findings>>();

/** Whether a schema, or a shared schema that it refers to, tries branches that can change a value, and whether there is a default. */
export function findTried(schema: unknown, shared: SharedSchemas): Pick<Findings, 'tries' | 'hasDefault'> {
  const known = findingsInShared.get(shared) ?? new Map<string, Findings>();
  findingsInShared.set(shared, known);
  const own = readDocument(schema, shared);
  let { tries, hasDefault } = own;
  const reached = new Set(own.references);
  // The set grows while it is read.
  for (const id of reached) {
    const findings = known.get(id) ?? readDocument(shared[id], shared);
    known.set(id, findings);
    tries ||= findings.tries;
    hasDefault ||= findings.hasDefault;
    for (const other of findings.references) reached.add(other);
  }
  return { tries, hasDefault };
}

function readDocument(schema: unknown, shared: SharedSchemas): Findings {
  const findings = { tries: false, hasDefault: false, references: new Set<string>() };
  someMember(schema, (name, value) => {
    findings.tries ||= trying.has(name) && dependsOnConversion(value);
    // It converts the value that the condition was asked about.
    findings.tries ||= (name === 'then' || name === 'else') && Object.hasOwn(Object(value), 'type');
    findings.hasDefault ||= name === 'default';
    if (name !== '$ref' || typeof value !== 'string') return false;
    const [id] = splitReference(value);
    // Any other reference than the name of a shared schema may lead to each of them.
    if (Object.hasOwn(shared, id)) findings.references.add(id);
    else if (id !== '') for (const each of Object.keys(shared)) findings.references.add(each);
    return false;
  });
  return findings;
}

/** Whether the result of the trials may depend on a conversion. */
function dependsOnConversion(tried: unknown): boolean {
  return [tried]
    .flat()
    .some((schema) => Object.keys(Object(schema)).some((name) => !steadyKeywords.has(name)));
}

/** Whether a member matches, of the value or of anything inside it. It does not call itself, because schemas can be nested deeply. */
export function someMember(root: unknown, matches: (name: string, value: unknown) => boolean): boolean {
  const pending = [root];
  const visited = new Set<unknown>();
  for (let at = 0; at < pending.length; at++) {
    const value = pending[at];
    if (typeof value !== 'object' || value === null || visited.has(value)) continue;
    visited.add(value);
    for (const [name, inner] of Object.entries(value)) {
      if (!Array.isArray(value) && matches(name, inner)) return true;
      pending.push(inner);
    }
  }
  return false;
}

/** Ajv's functions get the object that contains the data, so that they can replace it. */
interface Validate {
  (data: unknown, place?: Place): unknown;
  errors?: unknown;
  schema?: unknown;
}
interface Place {
  readonly parentData: Record<string, unknown>;
  readonly parentDataProperty: string;
}

interface ConversionSettings {
  /** Whether the data is text that has no types, such as a query string. It is converted first. */
  readonly isText: boolean;
  /** Whether the value of a valid property may still have to be changed: a default may be missing, or all undeclared names are removed. */
  readonly changesValid: boolean;
}

/** The functions of one schema. */
export interface ConversionParts {
  readonly convert: Validate;
  /** Only tests. It is not used if keywords of the application change values: what they have made need not be valid. */
  readonly test: Validate | undefined;
  readonly settings: ConversionSettings;
}

/** A conversion can decide which condition holds, and so require another conversion. */
const maxRounds = 4;
/**
 * How many objects and arrays may be copied for each one in the value. Branches inside branches copy the same part again, so a small but
 * deep value could otherwise take long.
 */
const copiesOfEach = 64;
/** For how many objects and arrays a value may always be copied. */
const minContainers = 1_000;
const maxCopies = 500_000;
let copies = 0;
let allowedCopies = Number.POSITIVE_INFINITY;

class ConversionTooLong extends Error {}

const tooLong = {
  keyword: 'type',
  instancePath: '',
  schemaPath: '#',
  params: {},
  message: 'must be valid without so many conversions',
};

/** Creates the validator of a schema from its functions. */
export function convertWhereInvalid(parts: ConversionParts): Validator {
  const { convert, test, settings } = parts;
  const validator: Validate = (data, place) => {
    validator.errors = null;
    const isValid = !settings.isText && test?.(data, place) === true;
    if (isValid && !settings.changesValid) return true;
    // A value that is valid is not copied.
    if (!isValid) limitCopies(data);
    try {
      const known = place ?? { parentData: { data }, parentDataProperty: 'data' };
      validator.errors = convertRepeatedly(parts, data, known, isValid);
    } catch (error) {
      if (!(error instanceof ConversionTooLong)) throw error;
      validator.errors = [tooLong];
    } finally {
      allowedCopies = Number.POSITIVE_INFINITY;
    }
    return validator.errors === null;
  };
  return Object.assign(validator as Validator, { parts, schemaEnv: {}, schema: convert.schema });
}

function limitCopies(data: unknown): void {
  copies = 0;
  copyValue(data);
  allowedCopies = Math.min(maxCopies, copiesOfEach * Math.max(copies, minContainers));
  copies = 0;
}

/** Returns the errors, or `null` if the value is valid, perhaps after its conversion. */
function convertRepeatedly(
  { convert, test }: ConversionParts,
  data: unknown,
  place: Place,
  isValid: boolean,
): unknown {
  const { parentData: parent, parentDataProperty: name } = place;
  const received = parent[name];
  let value = data;
  for (let round = 0; round < maxRounds; round++) {
    if (convert(value, place) !== true) return convert.errors;
    // A missing part is validated as `null`.
    if (parent[name] !== received) value = parent[name];
    if (isValid || test === undefined || test(value, place) === true) return null;
  }
  return test?.errors;
}

/**
 * Copies the objects and arrays of a value. Other objects, such as files, stay the same. It does not call itself, because data can be
 * nested more deeply than the stack allows.
 */
export function copyValue(value: unknown): unknown {
  if (!isContainer(value)) return value;
  const root = copyLevel(value);
  const pending = [root];
  for (let level = pending.pop(); level !== undefined; level = pending.pop()) {
    for (const name of Object.keys(level)) {
      const inner = level[name];
      if (!isContainer(inner)) continue;
      const copy = copyLevel(inner);
      level[name] = copy;
      pending.push(copy);
    }
  }
  return root;
}

/** Arrays, and objects without a class. The object of a query string may have an empty prototype of its own. */
function isContainer(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === null || Object.getPrototypeOf(prototype) === null;
}

function copyLevel(value: Record<string, unknown>): Record<string, unknown> {
  if (++copies > allowedCopies) throw new ConversionTooLong();
  if (Array.isArray(value)) return value.slice() as unknown as Record<string, unknown>;
  const prototype: object | null = Object.getPrototypeOf(value);
  return prototype === Object.prototype ? { ...value } : Object.assign(Object.create(prototype), value);
}

/** Whether a changed copy of a value still has all names of the value. */
export function keepsNames(value: unknown, copy: unknown): boolean {
  const pending = [[value, copy]];
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const [before, after] = pair;
    if (!isContainer(before) || !isContainer(after)) continue;
    for (const name of Object.keys(before)) {
      if (!Object.hasOwn(after, name)) return false;
      pending.push([before[name], after[name]]);
    }
  }
  return true;
}
