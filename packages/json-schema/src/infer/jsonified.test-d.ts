/** The types of values that have passed through JSON: what a client gets of the types of other libraries. */
import { Type as OldType } from '@sinclair/typebox';
import { type } from 'arktype';
import { Type } from 'typebox';
import * as v from 'valibot';
import { z } from 'zod';
import type { InferReceived, Jsonified } from './infer-schema.ts';

type Empty = Record<never, never>;

/** Whether two types are the same, also for `any`. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
declare function expect<_Claim extends true>(): void;

expect<Same<Jsonified<'a' | 1 | true | null>, 'a' | 1 | true | null>>();
expect<Same<Jsonified<Date>, string>>();
expect<Same<Jsonified<Date | number | undefined>, string | number | undefined>>();
expect<Same<Jsonified<URL>, string>>();
expect<Same<Jsonified<{ toJSON(key: string): { at: Date } }>, { at: string }>>();
expect<Same<Jsonified<bigint>, never>>();
expect<Same<Jsonified<unknown>, unknown>>();
// biome-ignore lint/suspicious/noExplicitAny: the case.
expect<Same<Jsonified<any>, any>>();
expect<Same<Jsonified<never>, never>>();
expect<Same<Jsonified<Map<string, Date>>, Empty>>();
expect<Same<Jsonified<ReadonlySet<string>>, Empty>>();
expect<Same<Jsonified<Uint8Array>, { [index: string]: number }>>();

expect<Same<Jsonified<{ a?: Date; readonly b: Date[] }>, { a?: string; readonly b: string[] }>>();
expect<Same<Jsonified<{ a(): void; b: symbol }>, { a: undefined; b: undefined }>>();
expect<Same<Jsonified<Record<string, Date>>, { [name: string]: string }>>();
expect<Same<Jsonified<readonly (Date | undefined)[]>, readonly (string | null)[]>>();
expect<Same<Jsonified<[Date, number?]>, [string, number?]>>();
expect<Same<Jsonified<[string, ...Date[]]>, [string, ...string[]]>>();
expect<Same<Jsonified<Date[][]>, string[][]>>();

interface Tree {
  since: Date;
  children: Tree[];
}
declare const tree: Jsonified<Tree>;
expect<Same<(typeof tree)['since'], string>>();
expect<Same<(typeof tree.children)[0]['children'][0]['since'], string>>();

const zod = z.object({
  since: z.date(),
  until: z.date().optional(),
  never: z.date().nullable(),
  days: z.array(z.date()),
  pair: z.tuple([z.date(), z.string()]),
  either: z.union([z.date(), z.number()]),
  byName: z.record(z.string(), z.date()),
  parsed: z.string().transform((text) => new Date(text)),
  id: z.string().brand('id'),
});
expect<
  Same<
    InferReceived<typeof zod>,
    {
      since: string;
      until?: string | undefined;
      never: string | null;
      days: string[];
      pair: [string, string];
      either: string | number;
      byName: { [name: string]: string };
      parsed: string;
      id: string & z.$brand<'id'>;
    }
  >
>();
const valibot = v.object({ since: v.date(), days: v.array(v.date()) });
expect<Same<InferReceived<typeof valibot>, { since: string; days: string[] }>>();
const arktype = type({ since: 'Date' });
expect<Same<InferReceived<typeof arktype>, { since: string }>>();
const oldTypeBox = OldType.Object({ since: OldType.Unsafe<Date>({}), at: OldType.Optional(OldType.Date()) });
expect<Same<InferReceived<typeof oldTypeBox>, { since: string; at?: string }>>();
const typeBox = Type.Object({ since: Type.Unsafe<Date>({}), list: Type.Array(Type.Unsafe<Date>({})) });
expect<Same<InferReceived<typeof typeBox>, { since: string; list: string[] }>>();

// JSON Schema: formats of dates are text, and an integer is a number, although a handler may reply with `Date` and `bigint`.
type Schema<Properties> = {
  readonly type: 'object';
  readonly required: readonly ['a'];
  readonly properties: Properties;
};
type DateTime = { readonly type: 'string'; readonly format: 'date-time' };
expect<Same<InferReceived<Schema<{ readonly a: DateTime }>>, { a: string }>>();
expect<
  Same<
    InferReceived<
      Schema<{ readonly a: { readonly type: 'array'; readonly items: { readonly type: 'integer' } } }>
    >,
    { a: number[] }
  >
>();
expect<
  Same<InferReceived<{ readonly anyOf: readonly [DateTime, { readonly type: 'null' }] }>, string | null>
>();

// Media types: the schema describes JSON. Text is text, and anything else is bytes.
type Content<Media extends string, Schema> = {
  readonly content: { readonly [M in Media]: { schema: Schema } };
};
expect<Same<InferReceived<Content<'application/json', typeof arktype>>, { since: string }>>();
expect<Same<InferReceived<Content<'application/problem+json', typeof arktype>>, { since: string }>>();
expect<Same<InferReceived<Content<'*/*', typeof arktype>>, { since: string }>>();
expect<Same<InferReceived<Content<'text/csv', { type: 'integer' }>>, string>>();
expect<Same<InferReceived<Content<'text/plain', { enum: ['a', 'b'] }>>, 'a' | 'b'>>();
expect<Same<InferReceived<Content<'application/pdf', { type: 'string'; format: 'binary' }>>, Blob>>();
type Items = { readonly content: { readonly 'application/jsonl': { readonly itemSchema: typeof arktype } } };
expect<Same<InferReceived<Items>, AsyncIterable<{ since: string }>>>();
