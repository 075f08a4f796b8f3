/** The types of JSON Schema, the short form and other libraries' schemas, in the three views. */
import { Type as OldType } from '@sinclair/typebox';
import { type } from 'arktype';
import { Type } from 'typebox';
import type { XStatic } from 'typebox/schema';
import * as v from 'valibot';
import { z } from 'zod';
import type { InferFields, InferInput, InferOutput, InferReply } from './infer-schema.ts';

type Empty = Record<never, never>;
interface UploadedFile extends File {
  readonly fieldName: string;
}

/** Whether two types are the same, also for `any`. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
declare function expect<_Claim extends true>(): void;

/** The types that a handler gets, a client sends and a handler replies, for a schema literal. */
declare function typesOf<const Schema, const Shared = unknown>(
  schema: Schema,
  shared?: Shared,
): {
  output: InferOutput<Schema, Shared, UploadedFile>;
  input: InferInput<Schema, Shared>;
  reply: InferReply<Schema, Shared>;
};

// ------------------------------------------------------------------------------------------------------------- scalars

const scalars = typesOf({
  type: 'object',
  required: ['text', 'whole', 'any', 'date', 'email'],
  properties: {
    text: { type: 'string' },
    whole: { type: 'integer' },
    real: { type: 'number' },
    flag: { type: 'boolean' },
    nothing: { type: 'null' },
    any: true,
    none: false,
    date: { type: 'string', format: 'date-time' },
    email: { type: 'string', format: 'email' },
  },
});
expect<
  Same<
    typeof scalars.output,
    {
      text: string;
      whole: number;
      real?: number;
      flag?: boolean;
      nothing?: null;
      any: unknown;
      none?: never;
      date: string;
      email: string;
    }
  >
>();
expect<
  Same<
    typeof scalars.reply,
    {
      text: string;
      whole: number | bigint;
      real?: number | undefined;
      flag?: boolean | undefined;
      nothing?: null | undefined;
      any: unknown;
      none?: undefined;
      date: string | Date;
      email: string;
    }
  >
>();
expect<Same<InferOutput<true>, unknown>>();
expect<Same<InferOutput<false>, never>>();
expect<Same<InferOutput<Empty>, unknown>>();

const several = typesOf({ type: ['string', 'null'] });
expect<Same<typeof several.output, string | null>>();
const nullable = typesOf({ type: 'string', nullable: true });
expect<Same<typeof nullable.output, string | null>>();
// Without a type, it has no effect on validation, but serializers write null.
const nullableReference = typesOf({ nullable: true, $ref: 'text' }, { text: { type: 'string' } });
expect<Same<typeof nullableReference.output, string>>();
expect<Same<typeof nullableReference.input, string>>();
expect<Same<typeof nullableReference.reply, string | null>>();
const nullableBranches = typesOf({ nullable: true, anyOf: [{ type: 'string' }, { type: 'boolean' }] });
expect<Same<typeof nullableBranches.output, string | boolean>>();
expect<Same<typeof nullableBranches.reply, string | boolean | null>>();
const dateOrNull = typesOf({ type: ['string', 'null'], format: 'date' });
expect<Same<typeof dateOrNull.output, string | null>>();
expect<Same<typeof dateOrNull.reply, string | Date | null>>();
const objectOrNull = typesOf({
  type: ['object', 'null'],
  required: ['a'],
  properties: { a: { type: 'string' } },
});
expect<Same<typeof objectOrNull.output, { a: string } | null>>();

const choice = typesOf({ enum: ['a', 1, null, true, 'b'] });
expect<Same<typeof choice.output, 'a' | 1 | null | true | 'b'>>();
const constant = typesOf({ type: 'string', const: 'x' });
expect<Same<typeof constant.output, 'x'>>();
const negated = typesOf({ type: 'string', not: { const: 'x' } });
expect<Same<typeof negated.output, string>>();
const annotated = typesOf({ type: 'string', 'x-doc': { deep: [1] }, errorMessage: 'no', examples: ['a'] });
expect<Same<typeof annotated.output, string>>();

// ------------------------------------------------------------------------------------------------------------- objects

const defaults = typesOf({
  type: 'object',
  required: ['id', 'size'],
  properties: {
    id: { type: 'string' },
    page: { type: 'integer', default: 1 },
    size: { type: 'integer', default: 9 },
  },
});
expect<Same<typeof defaults.output, { id: string; page: number; size: number }>>();
expect<Same<typeof defaults.input, { id: string; page?: number | undefined; size?: number | undefined }>>();
expect<
  Same<
    typeof defaults.reply,
    { id: string; page?: number | bigint | undefined; size?: number | bigint | undefined }
  >
>();

// Ajv fills in no defaults below `anyOf`.
const branchDefaults = typesOf({
  anyOf: [{ type: 'object', properties: { a: { type: 'string', default: 'x' } } }, { type: 'null' }],
});
expect<Same<typeof branchDefaults.output, { a?: string } | null>>();

const undeclared = typesOf({ type: 'object', required: ['a', 'b'], properties: { a: { type: 'string' } } });
expect<Same<(typeof undeclared.output)['b'], unknown>>();
expect<Same<(typeof undeclared.output)['a'], string>>();

const anyObject = typesOf({ type: 'object' });
expect<Same<typeof anyObject.output, { [name: string]: unknown }>>();
expect<Same<typeof anyObject.reply, object>>();
const closed = typesOf({
  type: 'object',
  properties: { a: { type: 'string' } },
  additionalProperties: false,
});
expect<Same<typeof closed.output, { a?: string }>>();
const map = typesOf({ type: 'object', additionalProperties: { type: 'number' } });
expect<Same<typeof map.output, { [name: string]: number }>>();
const patterns = typesOf({
  type: 'object',
  patternProperties: { '^x-': { type: 'string' } },
  additionalProperties: false,
});
expect<Same<typeof patterns.output, { [name: string]: string }>>();
const openMap = typesOf({
  type: 'object',
  required: ['a'],
  properties: { a: { type: 'string' } },
  additionalProperties: { type: 'number' },
});
expect<Same<(typeof openMap.output)['a'], string>>();
expect<Same<(typeof openMap.output)['b'], number>>();
const writtenMap: typeof openMap.reply = { a: 'text', b: 1 };
void writtenMap;

// -------------------------------------------------------------------------------------------------------------- arrays

const list = typesOf({ type: 'array', items: { type: 'number' } });
expect<Same<typeof list.output, number[]>>();
expect<Same<typeof list.reply, readonly number[]>>();
expect<Same<InferOutput<{ type: 'array' }>, unknown[]>>();
const pair = typesOf({
  type: 'array',
  items: [{ type: 'string' }, { type: 'number' }],
  minItems: 2,
  additionalItems: false,
});
expect<Same<typeof pair.output, [string, number]>>();
const openPair = typesOf({ type: 'array', items: [{ type: 'string' }, { type: 'number' }] });
expect<Same<typeof openPair.output, [string?, number?, ...unknown[]]>>();

// ---------------------------------------------------------------------------------------------------------- composites

const card = {
  type: 'object',
  required: ['kind', 'no'],
  properties: { kind: { const: 'card' }, no: { type: 'string' } },
};
const either = typesOf({ oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] });
expect<Same<typeof either.output, string | string[]>>();
const both = typesOf({
  allOf: [
    { type: 'object', required: ['a'], properties: { a: { type: 'string' } } },
    { type: 'object', required: ['b'], properties: { b: { type: 'number' } } },
  ],
});
expect<Same<typeof both.output, { a: string } & { b: number }>>();
const oneRequired = typesOf({
  type: 'object',
  properties: { a: { type: 'string' }, b: { type: 'string' } },
  anyOf: [{ required: ['a'] }, { required: ['b'] }],
});
declare const oneOfThem: typeof oneRequired.output;
expect<Same<typeof oneOfThem.a, string | undefined>>();
const thenElse = typesOf({
  type: 'object',
  required: ['kind'],
  properties: { kind: { enum: ['a', 'b'] } },
  if: { properties: { kind: { const: 'a' } } },
  // biome-ignore lint/suspicious/noThenProperty: `then` is a JSON Schema keyword.
  then: { required: ['x'], properties: { x: { type: 'string' } } },
  else: { required: ['y'], properties: { y: { type: 'number' } } },
});
declare const chosen: typeof thenElse.output;
expect<Same<typeof chosen.kind, 'a' | 'b'>>();
const x: string | undefined = 'x' in chosen ? chosen.x : undefined;
void x;

// ---------------------------------------------------------------------------------------------------------- references

const shared = {
  user: {
    $id: 'user',
    type: 'object',
    required: ['id'],
    properties: {
      id: { type: 'integer' },
      friend: { $ref: '#' },
      name: { $ref: '#name' },
      tag: { $ref: 'tag' },
    },
    definitions: { name: { $id: '#name', type: 'string' } },
  },
  tag: { $id: 'tag', type: 'string' },
} as const;
const references = typesOf(
  {
    type: 'object',
    required: ['whole', 'bare', 'pointer', 'named', 'local', 'localId', 'lost', 'lostPart', 'list'],
    properties: {
      whole: { $ref: 'user#' },
      bare: { $ref: 'user' },
      pointer: { $ref: 'user#/properties/id' },
      named: { $ref: 'user#name' },
      local: { $ref: '#/definitions/local' },
      localId: { $ref: '#localId' },
      lost: { $ref: 'nobody#' },
      lostPart: { $ref: 'user#/properties/nothing' },
      list: { type: 'array', items: { $ref: 'tag#' } },
    },
    definitions: { local: { type: 'boolean' }, other: { $id: '#localId', type: 'null' } },
  },
  shared,
);
declare const resolved: typeof references.output;
expect<Same<typeof resolved.whole, typeof resolved.bare>>();
expect<Same<typeof resolved.whole.id, number>>();
expect<Same<NonNullable<typeof resolved.whole.friend>['id'], number>>();
expect<Same<typeof resolved.whole.name, string | undefined>>();
expect<Same<typeof resolved.whole.tag, string | undefined>>();
expect<Same<typeof resolved.pointer, number>>();
expect<Same<typeof resolved.named, string>>();
expect<Same<typeof resolved.local, boolean>>();
expect<Same<typeof resolved.localId, null>>();
expect<Same<typeof resolved.lost, unknown>>();
expect<Same<typeof resolved.lostPart, unknown>>();
expect<Same<typeof resolved.list, string[]>>();
const rootReference = typesOf({ $ref: 'user#/properties/id' }, shared);
expect<Same<typeof rootReference.output, number>>();

const tree = typesOf({
  type: 'object',
  required: ['value', 'children'],
  properties: { value: { type: 'string' }, children: { type: 'array', items: { $ref: '#' } } },
});
declare const node: typeof tree.output;
const deepValue = node.children.at(0)?.children.at(0)?.children.at(0)?.children.at(0)?.children.at(0)?.value;
expect<Same<typeof deepValue, string | undefined>>();
expect<Same<InferOutput<{ $ref: '#' }>, unknown>>();
expect<Same<InferOutput<{ anyOf: [{ $ref: '#' }, { type: 'string' }] }>, unknown>>();

const filledTuple = typesOf({
  type: 'array',
  items: [{ type: 'string' }, { type: 'integer', default: 1 }, { type: 'null' }],
  maxItems: 3,
});
expect<Same<typeof filledTuple.output, [string, number, null?]>>();
expect<Same<typeof filledTuple.input, [string?, number?, null?]>>();
const exactTuple = typesOf({
  type: 'array',
  items: [{ type: 'string' }, { type: 'integer' }],
  minItems: 2,
  maxItems: 2,
});
expect<Same<typeof exactTuple.output, [string, number]>>();
const unfilledTuple = typesOf({ anyOf: [{ type: 'array', items: [{ default: 1 }], maxItems: 1 }] });
expect<Same<typeof unfilledTuple.output, [unknown?]>>();

const escaped = typesOf({
  type: 'object',
  properties: { slash: { $ref: '#/definitions/x~1y' }, tilde: { $ref: '#/definitions/x~0y' } },
  required: ['slash', 'tilde'],
  definitions: { 'x/y': { type: 'string' }, 'x~y': { type: 'integer' } },
});
expect<Same<typeof escaped.output, { slash: string; tilde: number }>>();

// ------------------------------------------------------------------------------------------------------- draft 2020-12

const newerPair = typesOf({
  type: 'array',
  prefixItems: [{ type: 'string' }, { type: 'number' }],
  items: false,
  minItems: 2,
});
expect<Same<typeof newerPair.output, [string, number]>>();
const newerOpenPair = typesOf({ type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] });
expect<Same<typeof newerOpenPair.output, [string?, number?, ...unknown[]]>>();
const newerRest = typesOf({
  type: 'array',
  prefixItems: [{ type: 'string' }],
  items: { type: 'boolean' },
  minItems: 1,
});
expect<Same<typeof newerRest.output, [string, ...boolean[]]>>();
const newerClosed = typesOf({
  type: 'array',
  prefixItems: [{ type: 'string' }],
  unevaluatedItems: false,
  minItems: 1,
});
expect<Same<typeof newerClosed.output, [string]>>();
const noItems = typesOf({ type: 'array', items: false });
expect<Same<typeof noItems.output, never[]>>();

const newerReferences = typesOf({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $defs: { id: { type: 'integer' }, name: { $anchor: 'name', type: 'string' } },
  type: 'object',
  properties: { id: { $ref: '#/$defs/id' }, name: { $ref: '#name' } },
  required: ['id', 'name'],
  unevaluatedProperties: false,
});
expect<Same<typeof newerReferences.output, { id: number; name: string }>>();

// `unevaluatedProperties` closes an object, or types the other properties, as `additionalProperties` does.
const noMembers = typesOf({ type: 'object', unevaluatedProperties: false });
expect<Same<typeof noMembers.output, { [name: string]: never }>>();
expect<Same<typeof noMembers.input, { [name: string]: never }>>();
expect<Same<typeof noMembers.reply, { [name: string]: never }>>();
const noMembersOrNull = typesOf({ type: 'object', nullable: true, unevaluatedProperties: false });
expect<Same<typeof noMembersOrNull.output, { [name: string]: never } | null>>();
const newerMap = typesOf({ type: 'object', unevaluatedProperties: { type: 'integer' } });
expect<Same<typeof newerMap.output, { [name: string]: number }>>();
expect<Same<typeof newerMap.reply, { [name: string]: number | bigint }>>();
const newerPatterns = typesOf({
  type: 'object',
  patternProperties: { '^x-': { type: 'string' } },
  unevaluatedProperties: false,
});
expect<Same<typeof newerPatterns.output, { [name: string]: string }>>();
const newerOpenMap = typesOf({
  type: 'object',
  required: ['a'],
  properties: { a: { type: 'string' } },
  unevaluatedProperties: { type: 'number' },
});
expect<Same<typeof newerOpenMap.output, typeof openMap.output>>();
expect<Same<typeof newerOpenMap.input, typeof openMap.input>>();
expect<Same<typeof newerOpenMap.reply, typeof openMap.reply>>();

// `true` changes nothing, and `additionalProperties` evaluates all properties.
const anyOthers = typesOf({
  type: 'object',
  properties: { a: { type: 'string' } },
  unevaluatedProperties: true,
});
expect<Same<typeof anyOthers.output, { a?: string }>>();
const anyNewer = typesOf({ type: 'object', unevaluatedProperties: true });
expect<Same<typeof anyNewer.output, typeof anyObject.output>>();
expect<Same<typeof anyNewer.reply, typeof anyObject.reply>>();
const additionalFirst = typesOf({
  type: 'object',
  additionalProperties: { type: 'string' },
  unevaluatedProperties: false,
});
expect<Same<typeof additionalFirst.output, { [name: string]: string }>>();

// It applies after all schemas for the same value were merged.
const base = {
  base: { $id: 'base', type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
} as const;
const mergedClosed = typesOf(
  {
    type: 'object',
    allOf: [{ $ref: 'base#' }, { type: 'object' }, { properties: { a: { type: 'integer' } } }],
    unevaluatedProperties: false,
  },
  base,
);
const isClosed = <Value>(_value: Value): void => {};
isClosed<typeof mergedClosed.input>({ id: 'x', a: 1 });
// @ts-expect-error: no schema declares `b`.
isClosed<typeof mergedClosed.input>({ id: 'x', b: 1 });
// @ts-expect-error: no schema declares `b`.
isClosed<typeof mergedClosed.reply>({ id: 'x', b: 1 });
// @ts-expect-error: a declared property has the wrong type.
isClosed<typeof mergedClosed.input>({ id: 'x', a: 'y' });
declare const closedOutput: typeof mergedClosed.output;
expect<Same<typeof closedOutput.id, string>>();
expect<Same<typeof closedOutput.a, number | undefined>>();
// @ts-expect-error: no schema declares `b`. The bare `type: 'object'` alone would let it through.
void closedOutput.b;
const mergedEmpty = typesOf({ type: 'object', allOf: [{ type: 'object' }], unevaluatedProperties: false });
expect<Same<typeof mergedEmpty.output, { [name: string]: never }>>();
expect<Same<typeof mergedEmpty.input, { [name: string]: never }>>();
const notObject = typesOf({ minProperties: 1, allOf: [{ maxProperties: 2 }], unevaluatedProperties: false });
expect<Same<typeof notObject.output, unknown>>();

const mergedMap = typesOf(
  {
    type: 'object',
    $ref: 'base#',
    properties: { a: { type: 'boolean' } },
    unevaluatedProperties: { type: 'number' },
  },
  base,
);
expect<Same<(typeof mergedMap.output)['id'], string>>();
expect<Same<(typeof mergedMap.output)['a'], boolean | undefined>>();
expect<Same<(typeof mergedMap.output)['other'], number>>();
isClosed<typeof mergedMap.input>({ id: 'x', a: true, other: 1 });
// @ts-expect-error: other properties are numbers.
isClosed<typeof mergedMap.input>({ id: 'x', other: null });

const eitherClosed = typesOf({
  type: 'object',
  anyOf: [
    { properties: { a: { type: 'string' } }, required: ['a'] },
    { properties: { b: { type: 'number' } }, required: ['b'] },
  ],
  unevaluatedProperties: false,
});
isClosed<typeof eitherClosed.input>({ a: 'x', b: 1 });
// @ts-expect-error: no branch declares `c`.
isClosed<typeof eitherClosed.input>({ a: 'x', c: 1 });
// A value may match both branches: a property that one declares is not an undeclared one in the other.
const eitherMap = typesOf({
  type: 'object',
  anyOf: [{ properties: { a: { type: 'string' } } }, { properties: { b: { type: 'number' } } }],
  unevaluatedProperties: { type: 'boolean' },
});
isClosed<typeof eitherMap.input>({ a: 'x', b: 1, c: true });
declare const eitherOutput: typeof eitherMap.output;
expect<Same<(typeof eitherOutput)['c'], string | number | boolean | undefined>>();
// @ts-expect-error: other properties are booleans.
isClosed<typeof eitherMap.input>({ a: 'x', c: null });

// If a schema may declare properties that its type does not show, undeclared properties have no type.
/** The type of `z`, which the schema does not declare; undeclared properties of the object are numbers. */
declare function otherOf<const Schema>(schema: Schema): OtherIn<
  InferOutput<
    Schema & {
      type: 'object';
      properties: { a: { type: 'string' } };
      unevaluatedProperties: { type: 'number' };
    }
  >
>;
type OtherIn<Value> = 'z' extends keyof Value ? { known: Value['z' & keyof Value] } : { known: unknown };
const known: { known: number }[] = [
  otherOf({}),
  otherOf({ required: ['a'], allOf: [{ properties: { b: { type: 'null' } } }, { required: ['b'] }] }),
  otherOf({
    if: { required: ['a'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: { properties: { b: { type: 'integer' } } },
    else: true,
  }),
];
void known;
expect<Same<ReturnType<typeof otherOf<{ dependentSchemas: { a: true } }>>, { known: unknown }>>();
expect<Same<ReturnType<typeof otherOf<{ $dynamicRef: '#node' }>>, { known: unknown }>>();
expect<Same<ReturnType<typeof otherOf<{ $ref: 'nobody#' }>>, { known: unknown }>>();
expect<Same<ReturnType<typeof otherOf<{ $ref: string }>>, { known: unknown }>>();
expect<Same<ReturnType<typeof otherOf<{ allOf: [{ type: string }] }>>, { known: unknown }>>();
expect<Same<ReturnType<typeof otherOf<{ allOf: { required: ['a'] }[] }>>, { known: unknown }>>();
expect<Same<ReturnType<typeof otherOf<{ allOf: [{ additionalProperties: true }] }>>, { known: unknown }>>();
expect<Same<ReturnType<typeof otherOf<{ allOf: [{ unevaluatedProperties: true }] }>>, { known: unknown }>>();
expect<
  Same<
    ReturnType<typeof otherOf<{ oneOf: [{ patternProperties: { '^x-': { type: 'string' } } }] }>>,
    { known: unknown }
  >
>();
expect<Same<ReturnType<typeof otherOf<{ anyOf: [{ allOf: [{ $ref: 'nobody#' }] }] }>>, { known: unknown }>>();
expect<
  Same<ReturnType<typeof otherOf<{ if: true; then: { properties: { b: true } } }>>, { known: unknown }>
>();
const hiddenClosed = typesOf({ type: 'object', $ref: 'nobody#', unevaluatedProperties: false });
expect<Same<typeof hiddenClosed.output, unknown>>();

const newerList = typesOf({ type: 'array', unevaluatedItems: { type: 'string' } });
expect<Same<typeof newerList.output, string[]>>();
expect<Same<typeof newerList.reply, readonly string[]>>();
const newerOtherItems = typesOf({
  type: 'array',
  prefixItems: [{ type: 'string' }],
  unevaluatedItems: { type: 'boolean' },
  minItems: 1,
});
expect<Same<typeof newerOtherItems.output, [string, ...boolean[]]>>();
// Another schema declares more items.
const itemsBeside = typesOf({
  type: 'array',
  prefixItems: [{ type: 'string' }],
  allOf: [{ type: 'array', prefixItems: [true, { type: 'number' }] }],
  unevaluatedItems: false,
});
declare const besideItems: typeof itemsBeside.output;
expect<Same<(typeof besideItems)[1], number | undefined>>();

// --------------------------------------------------------------------------------- properties and items without a `type`

type Untyped = { properties: { a: { type: 'string' } }; required: ['a'] };
expect<Same<InferOutput<Untyped>, unknown>>();
expect<Same<InferInput<Untyped>, { a: string }>>();
expect<Same<InferReply<Untyped>, { a: string }>>();
expect<Same<InferFields<Untyped>, { a: string }>>();
expect<Same<InferOutput<{ items: { type: 'string' } }>, unknown>>();
expect<Same<InferOutput<{ anyOf: [{ required: ['a'] }, { required: ['b'] }] }>, unknown>>();
const aroundAll = typesOf({
  type: 'object',
  allOf: [{ properties: { a: { type: 'string' } }, required: ['a'] }],
  if: { properties: { b: { const: 1 } }, required: ['b'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  then: { properties: { c: { type: 'boolean', default: true } } },
  else: { properties: { d: { properties: { e: { type: 'null' } } } } },
});
expect<Same<typeof aroundAll.output, { a: string } & (({ b: 1 } & { c: boolean }) | { d?: unknown })>>();
const besideAll = typesOf({
  allOf: [
    { type: 'object', properties: { a: { type: 'string' } } },
    { properties: { b: { type: 'integer' } } },
  ],
  required: ['a'],
});
expect<Same<typeof besideAll.output, { a: unknown } & { a?: string } & { b?: number }>>();
const besideReference = typesOf(
  { allOf: [{ $ref: 'base#' }, { properties: { b: { type: 'integer' } } }] },
  { base: { allOf: [{ type: 'object', properties: { a: { type: 'string' } } }] } },
);
expect<Same<typeof besideReference.output, { a?: string } & { b?: number }>>();
const orNull = typesOf({ type: ['object', 'null'], allOf: [{ required: ['a'] }] });
expect<Same<typeof orNull.output, { [name: string]: unknown } | null>>();
expect<Same<InferOutput<{ allOf: [{ $ref: '#' }, { required: ['a'] }] }>, unknown>>();

// ------------------------------------------------------------------------------------------- short form, content, others

const short = typesOf({ name: { type: 'string' }, page: { type: 'integer', default: 1 } });
expect<Same<typeof short.output, { name?: string; page: number }>>();
const shortKeyword = typesOf({ title: { type: 'string' }, id: { type: 'string' } });
expect<Same<typeof shortKeyword.output, { title?: string; id?: string }>>();
// A keyword of JSON Schema makes it a full schema, which boot rejects.
const withKeyword = typesOf({ a: { type: 'string' }, anyOf: { type: 'string' } });
expect<Same<typeof withKeyword.output, unknown>>();
const byType = typesOf({
  content: {
    'application/json': {
      schema: { type: 'object', required: ['a'], properties: { a: { type: 'string' } } },
    },
    'text/plain': { schema: { type: 'string' } },
  },
});
expect<Same<typeof byType.output, { a: string } | string>>();
const halfByType = typesOf({
  content: { 'application/json': { schema: { type: 'string' } }, 'text/plain': {} },
});
expect<Same<typeof halfByType.output, string>>();
const contentParameter = typesOf({ content: { type: 'string' } });
expect<Same<typeof contentParameter.output, { content?: string }>>();

const form = {
  type: 'object',
  required: ['title', 'picture'],
  properties: {
    title: { type: 'string' },
    size: { type: 'integer' },
    picture: { type: 'string', format: 'binary', maxLength: 1000 },
    extra: { type: ['string', 'null'], format: 'binary' },
    documents: { type: 'array', items: { type: 'string', format: 'binary' } },
  },
} as const;
const asForm = typesOf({ content: { 'multipart/form-data': { schema: form } } });
expect<
  Same<
    typeof asForm.output,
    {
      title: string;
      size?: number;
      picture: UploadedFile;
      extra?: UploadedFile | null;
      documents?: UploadedFile[];
    }
  >
>();
expect<
  Same<
    typeof asForm.input,
    {
      title: string;
      size?: number | undefined;
      picture: Blob;
      extra?: Blob | null | undefined;
      documents?: readonly Blob[] | undefined;
    }
  >
>();
const referringForm = typesOf(
  { content: { 'multipart/form-data': { schema: { $ref: 'form#' } } } },
  { form: { $id: 'form', ...form } as const },
);
expect<Same<typeof referringForm.output, typeof asForm.output>>();
// Outside forms, the format has no effect on the type.
const asText = typesOf({
  content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
});
expect<Same<typeof asText.output, string>>();
expect<Same<InferOutput<typeof form>['picture'], string>>();
const formOrJson = typesOf({
  content: {
    'multipart/form-data': {
      schema: { type: 'object', properties: { a: { type: 'string', format: 'binary' } } },
    },
    'application/json': { schema: { type: 'object', properties: { a: { type: 'string' } } } },
  },
});
expect<Same<typeof formOrJson.output, { a?: UploadedFile } | { a?: string }>>();

// Schemas with widened types, or of unknown kinds, are unknown.
expect<Same<InferOutput<object>, unknown>>();
expect<Same<InferOutput<unknown>, unknown>>();
// biome-ignore lint/suspicious/noExplicitAny: a schema may come from an untyped module; its type must not spread.
expect<Same<InferOutput<any>, unknown>>();
expect<Same<InferOutput<{ type: string }>, unknown>>();
expect<Same<InferOutput<Record<string, unknown>>, unknown>>();
expect<Same<InferOutput<typeof card>, unknown>>();
// biome-ignore lint/suspicious/noExplicitAny: likewise, inside a schema.
expect<Same<InferOutput<{ type: 'object'; required: ['a']; properties: { a: any } }>, { a: unknown }>>();
expect<
  Same<
    InferOutput<{ type: 'object'; required: string[]; properties: { a: { type: 'string' } } }>,
    { a?: string }
  >
>();

const zod = typesOf(z.object({ id: z.coerce.number<string>(), page: z.number().default(1) }));
expect<Same<typeof zod.output, { id: number; page: number }>>();
expect<Same<typeof zod.input, { id: string; page?: number | undefined }>>();
const valibot = typesOf(v.object({ id: v.pipe(v.string(), v.transform(Number)) }));
expect<Same<typeof valibot.output, { id: number }>>();
expect<Same<typeof valibot.reply, { id: string }>>();
const ark = typesOf(type({ id: 'string.numeric.parse' }));
expect<Same<typeof ark.output, { id: number }>>();
expect<Same<typeof ark.input, { id: string }>>();

const typebox = typesOf(
  Type.Object({
    id: Type.Integer(),
    name: Type.Optional(Type.String()),
    kind: Type.Union([Type.Literal('a'), Type.Literal('b')]),
    tags: Type.Array(Type.String()),
    pair: Type.Tuple([Type.String(), Type.Number()]),
    map: Type.Record(Type.String(), Type.Number()),
    when: Type.Unsafe<Date>({ type: 'string' }),
    raw: Type.Unsafe<{ at: Date }>({}),
  }),
);
expect<
  Same<
    typeof typebox.output,
    {
      id: number;
      name?: string;
      kind: 'a' | 'b';
      tags: string[];
      pair: [string, number];
      map: { [name: string]: number };
      when: Date;
      raw: { at: Date };
    }
  >
>();
const unsafe = typesOf(Type.Unsafe<{ at: Date }>({}));
expect<Same<typeof unsafe.output, { at: Date }>>();
const oldTypebox = typesOf(
  OldType.Object({ id: OldType.Integer(), name: OldType.Optional(OldType.String()) }),
);
expect<Same<typeof oldTypebox.output, { id: number; name?: string }>>();

// --------------------------------------------------------- TypeBox reads JSON Schema too: where it can, it has to agree

declare function agrees<const Schema>(
  schema: Schema,
): Same<InferOutput<Schema>, XStatic<Schema>> extends true
  ? true
  : { ours: InferOutput<Schema>; theirs: XStatic<Schema> };
const agreements: true[] = [
  agrees({ type: 'object', required: ['a'], properties: { a: { type: 'string' }, b: { type: 'integer' } } }),
  agrees({
    type: 'object',
    properties: { a: { type: 'object', required: ['b'], properties: { b: { type: 'null' } } } },
  }),
  agrees({ type: 'array', items: { type: 'array', items: { enum: ['a', 2, null] } } }),
  agrees({ type: 'array', items: [{ type: 'string' }], minItems: 1, additionalItems: { type: 'number' } }),
  agrees({ anyOf: [{ type: 'string' }, { const: 5 }, { type: ['boolean', 'null'] }] }),
  agrees({
    oneOf: [{ type: 'object', required: ['k'], properties: { k: { const: 'a' } } }, { type: 'string' }],
  }),
  agrees({ type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } }),
  agrees({ $ref: '#/definitions/a', definitions: { a: { type: 'array', items: { type: 'number' } } } }),
  agrees({ not: { type: 'string' } }),
];
void agreements;
