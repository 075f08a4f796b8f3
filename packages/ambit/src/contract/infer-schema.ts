/**
 * Types from JSON Schema (draft 7): what a client sends, what a handler sees, what a handler replies. Types only. Whatever
 * the type level cannot express is `unknown` here, and still exact at run time.
 */
import type { Empty } from './empty.ts';
import type {
  ContentSchemas,
  ShortFormOf,
  StandardSchema,
  StandardTypes,
  TypeBoxSchema,
  TypeBoxType,
  TypedSchema,
} from './schema-form.ts';
import type { ReferencedDocument, ReferencedSchema } from './schema-reference.ts';

/** The type of a part of a request as its handler sees it: coerced, with defaults filled in. */
export type InferOutput<Schema, Shared = unknown> = InferPart<Schema, Shared, OutputView>;

/** The type of a part of a request as a client has to send it: what has a default may be left out. */
export type InferInput<Schema, Shared = unknown> = InferPart<Schema, Shared, InputView>;

/** What the serializer of a response takes: a `Date` where the format is a date's, a `bigint` for an integer. */
export type InferReply<Schema, Shared = unknown> = InferPart<Schema, Shared, ReplyView>;

/** From which side a value is looked at. */
interface View {
  side: 'input' | 'output';
  /** The types that need no look at other keywords. */
  scalars: Scalars;
  /** The types of strings that have a format. */
  formats: object;
  /** Keywords that need more than a look at `type`. */
  special: string;
  /** What a member that need not be there may be besides: writing `undefined` leaves it out. */
  absent: undefined;
}
interface OutputView {
  side: 'output';
  scalars: ParsedScalars;
  formats: Empty;
  special: CompositeKeyword;
  absent: never;
}
interface InputView {
  side: 'input';
  scalars: ParsedScalars;
  formats: Empty;
  special: CompositeKeyword;
  absent: undefined;
}
interface ReplyView {
  side: 'input';
  scalars: Scalars;
  formats: FormatValues;
  special: CompositeKeyword | 'format';
  absent: undefined;
}

interface Scalars {
  string: string;
  number: number;
  integer: number | bigint;
  boolean: boolean;
  null: null;
}
interface ParsedScalars extends Scalars {
  integer: number;
}

/** What the serializer turns into the text of a format. */
interface FormatValues {
  'date-time': string | Date;
  date: string | Date;
  time: string | Date;
}

type CompositeKeyword =
  | '$ref'
  | 'enum'
  | 'const'
  | 'anyOf'
  | 'oneOf'
  | 'allOf'
  | 'if'
  | 'nullable'
  | '~unsafe';

type InferPart<Schema, Shared, V extends View> = Schema extends TypedSchema
  ? Infer<Schema, Place<Schema, Shared, V>>
  : InferForm<Schema, Shared, V>;

type InferForm<Schema, Shared, V extends View> = 0 extends 1 & Schema
  ? unknown
  : Schema extends TypeBoxSchema
    ? TypeBoxType<Schema>
    : Schema extends StandardSchema
      ? StandardTypes<Schema>[V['side']]
      : Schema extends ContentSchemas<infer Content>
        ? InferPart<Content, Shared, V>
        : InferUntyped<Schema, ShortFormOf<Schema>, Shared, V>;

type InferUntyped<Schema, Properties, Shared, V extends View> = [Properties] extends [never]
  ? Infer<Schema, Place<Schema, Shared, V>>
  : ObjectOf<{ readonly properties: Properties }, Place<{ readonly properties: Properties }, Shared, V>>;

// ----------------------------------------------------------------------------------------------------------- the walk

/** Where a schema stands: in which document, among which shared schemas, behind which references. */
interface Place<Root, Shared, V extends View, Fills extends boolean = true, Followed = never> {
  root: Root;
  shared: Shared;
  view: V;
  scalars: V['scalars'];
  special: V['special'];
  /** Whether Ajv fills in defaults here: it does not below `anyOf`, `oneOf`, `if` and `not`. */
  fills: Fills;
  /** The references followed since the last property or item: one of them again is a circle without a value in it. */
  followed: Followed;
  below: Place<Root, Shared, V, Fills>;
  branch: Place<Root, Shared, V, false, Followed>;
}

interface AnyPlace {
  root: unknown;
  shared: unknown;
  view: View;
  scalars: Scalars;
  special: string;
  fills: boolean;
  followed: unknown;
  below: AnyPlace;
  branch: AnyPlace;
}

type Infer<Schema, At extends AnyPlace> = keyof Schema & At['special'] extends never
  ? Schema extends { readonly type: infer Type }
    ? Type extends keyof Scalars
      ? At['scalars'][Type]
      : OfType<Type, Schema, At>
    : OfNoType<Schema, At>
  : Composite<Schema, At>;

type OfType<Type, Schema, At extends AnyPlace> = Type extends 'object'
  ? ObjectOf<Schema, At>
  : Type extends 'array'
    ? ArrayOf<Schema, At>
    : Type extends keyof Scalars
      ? At['scalars'][Type]
      : Type extends readonly (infer Either)[]
        ? OfType<Either, Schema, At>
        : unknown;

/** Ajv lets other types through where no `type` is given. Who lists properties means an object all the same. */
type OfNoType<Schema, At extends AnyPlace> = Schema extends ObjectKeywords
  ? ObjectOf<Schema, At>
  : Schema extends { readonly items: unknown }
    ? ArrayOf<Schema, At>
    : Schema extends false
      ? never
      : unknown;

// ---------------------------------------------------------------------------------------------------------- composites

type Composite<Schema, At extends AnyPlace> = Schema extends { readonly enum: readonly (infer Value)[] }
  ? Value
  : Schema extends { readonly const: infer Value }
    ? Value
    : Schema extends { readonly '~unsafe': infer Type }
      ? Type
      : Schema extends { readonly nullable: true }
        ? Combined<Schema, At> | null
        : Combined<Schema, At>;

/** All keywords hold at once: the intersection of what each says. */
type Combined<Schema, At extends AnyPlace> = BaseOf<Schema, At> &
  (Schema extends { readonly $ref: infer Ref extends string } ? Follow<Ref, At> : unknown) &
  (Schema extends { readonly anyOf: readonly (infer Branch)[] } ? OneBranch<Branch, At['branch']> : unknown) &
  (Schema extends { readonly oneOf: readonly (infer Branch)[] } ? OneBranch<Branch, At['branch']> : unknown) &
  (Schema extends { readonly allOf: infer Branches } ? AllBranches<Branches, At> : unknown) &
  (Schema extends { readonly if: infer If } ? ThenOrElse<If, Schema, At['branch']> : unknown);

/** What `type` and its companions say. A bare `type: 'object'` leaves it to the other keywords to say what object. */
type BaseOf<Schema, At extends AnyPlace> = Schema extends { readonly type: infer Type }
  ? Schema extends BareObject
    ? unknown
    : OfType<Type, Schema, At> | FormattedText<Schema, At['view']['formats']>
  : OfNoType<Schema, At>;

type FormattedText<Schema, Formats> = Schema extends { readonly format: infer Format extends keyof Formats }
  ? Formats[Format]
  : never;

type BareObject = { readonly type: 'object' } & {
  readonly [K in 'properties' | 'required' | OpenKeyword]?: never;
};

type OneBranch<Branch, At extends AnyPlace> = Branch extends unknown ? Infer<Branch, At> : never;

type AllBranches<Branches, At extends AnyPlace> = Branches extends readonly [infer First, ...infer Rest]
  ? Infer<First, At> & AllBranches<Rest, At>
  : unknown;

/** A value passes `if` and `then`, or it passes `else`. That it then fails `if`, no type can say. */
type ThenOrElse<If, Schema, At extends AnyPlace> = Schema extends { readonly else: infer Else }
  ? IfThen<If, Schema, At> | Infer<Else, At>
  : unknown;

type IfThen<If, Schema, At extends AnyPlace> = Schema extends { readonly then: infer Then }
  ? Infer<If, At> & Infer<Then, At>
  : Infer<If, At>;

/** A reference followed twice on the way to one value leads nowhere. */
type Follow<Ref extends string, At extends AnyPlace> = Ref extends At['followed']
  ? unknown
  : FollowInto<ReferencedDocument<Ref, At['root'], At['shared']>, Ref, At>;

type FollowInto<Document, Ref extends string, At extends AnyPlace> = Infer<
  ReferencedSchema<Ref, Document>,
  Place<Document, At['shared'], At['view'], At['fills'], At['followed'] | Ref>
>;

// -------------------------------------------------------------------------------------------------------------- arrays

type ArrayOf<Schema, At extends AnyPlace> = Schema extends { readonly items: infer Items }
  ? Items extends readonly unknown[]
    ? TupleOf<EachOf<Items, At['below']>, Schema, At>
    : At['view']['side'] extends 'output'
      ? Infer<Items, At['below']>[]
      : readonly Infer<Items, At['below']>[]
  : unknown[];

type EachOf<Items extends readonly unknown[], At extends AnyPlace> = {
  -readonly [Index in keyof Items]: Infer<Items[Index], At>;
};

/** What `minItems` does not ask for may be absent. Only "all of them" is worked out: less than that counts as none. */
type TupleOf<Each extends readonly unknown[], Schema, At extends AnyPlace> = Schema extends {
  readonly minItems: Each['length'];
}
  ? [...Each, ...RestOf<Schema, At>]
  : [...Partial<Each>, ...RestOf<Schema, At>];

type RestOf<Schema, At extends AnyPlace> = Schema extends { readonly additionalItems: infer Items }
  ? Items extends false
    ? []
    : Infer<Items, At['below']>[]
  : unknown[];

// ------------------------------------------------------------------------------------------------------------- objects

type ObjectKeywords = { readonly properties: unknown } | { readonly required: readonly string[] };
type OpenKeyword = 'additionalProperties' | 'patternProperties';

/** Properties that nobody declared are not part of the type: reading one is a mistake more often than a wish. */
type ObjectOf<Schema, At extends AnyPlace> = Schema extends ObjectKeywords
  ? keyof Schema & OpenKeyword extends never
    ? Declared<Schema, At>
    : OpenObject<Declared<Schema, At>, Undeclared<Schema, At>, At>
  : keyof Schema & OpenKeyword extends never
    ? At['view']['side'] extends 'output'
      ? { [name: string]: unknown }
      : object
    : OpenObject<unknown, Undeclared<Schema, At>, At>;

type Declared<Schema, At extends AnyPlace> = Schema extends { readonly properties: infer Properties }
  ? Members<Properties, RequiredIn<Schema>, At>
  : { [Name in RequiredIn<Schema> & string as string extends Name ? never : Name]: unknown };

type RequiredIn<Schema> = Schema extends { readonly required: readonly (infer Name)[] } ? Name : never;

type Members<Properties, Required, At extends AnyPlace> = [Required] extends [keyof Properties]
  ? KnownMembers<Properties, PresentIn<Properties, Required, At>, At>
  : string extends Required
    ? Members<Properties, never, At>
    : Members<Properties, Required & keyof Properties, At> & {
        [Name in Exclude<Required, keyof Properties> & string]: unknown;
      };

/** Names of the members that are there: Ajv fills in defaults before it looks for what is required. */
type PresentIn<Properties, Required, At extends AnyPlace> = [
  Extract<Properties[keyof Properties], { readonly default: unknown }>,
] extends [never]
  ? Required
  : At['fills'] extends false
    ? Required
    : At['view']['side'] extends 'output'
      ? Required | DefaultedIn<Properties>
      : Exclude<Required, DefaultedIn<Properties>>;

type DefaultedIn<Properties> = {
  [Name in keyof Properties]: 'default' extends keyof Properties[Name] ? Name : never;
}[keyof Properties];

/** Conditions keep the names of these types out of what editors show. */
type KnownMembers<Properties, Present, At extends AnyPlace> = keyof Properties extends Present
  ? { -readonly [Name in keyof Properties]: Infer<Properties[Name], At['below']> }
  : Optionality<keyof Properties, Present, At['view']['absent']> extends infer Marks
    ? { [Name in keyof Marks]: Infer<Properties[Name & keyof Properties], At['below']> | Marks[Name] }
    : never;

/** The names with their modifiers, for a mapped type to take over. */
type Optionality<Name extends PropertyKey, Present, Absent> = { [N in Name & Present]: never } & {
  [N in Exclude<Name, Present>]?: Absent;
};

/** The type of properties that are not declared; `never` where there are none. */
type Undeclared<Schema, At extends AnyPlace> =
  | (Schema extends { readonly patternProperties: infer Patterns }
      ? OneBranch<Patterns[keyof Patterns], At['below']>
      : never)
  | (Schema extends { readonly additionalProperties: infer Rest }
      ? Infer<Rest, At['below']>
      : Schema extends { readonly '~kind': 'Record' }
        ? never
        : unknown);

/** In a value that is written down, the declared members must fit the index signature too. */
type OpenObject<Closed, Rest, At extends AnyPlace> = [Rest] extends [never]
  ? unknown extends Closed
    ? { [name: string]: never }
    : Closed
  : At['view']['side'] extends 'output'
    ? Closed & { [name: string]: Rest }
    : Closed & { [name: string]: Rest | Closed[keyof Closed] };
