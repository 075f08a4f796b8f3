/** The types that the compiler shows in its error if a plugin does not fit the context that registers it. */
import type { ContextTypes } from './context-types.ts';
import type { TypesOf } from './registration.ts';

/** Names the options that must be passed to a plugin. */
export interface OptionsMissing<_Options> {
  readonly 'the options that it takes': never;
}

/** Names what a plugin needs and its context does not have. */
export interface NeedsUnmet<_Needs> {
  readonly 'a context with all that the plugin needs': never;
}

/**
 * Compares what a plugin needs with the context. A plugin declares its needs by a bundle of types, or as members: `Context & { db: Db }`.
 */
export type UnmetNeeds<Needs, Available> =
  TypesOf<Available> extends TypesOf<Needs>
    ? {
        context: Needs extends unknown
          ? { [Name in Exclude<keyof Needs, keyof Available>]: Needs[Name] }
          : never;
      }
    : UnmetParts<TypesOf<Needs>, TypesOf<Available>>;

/** The needs of a plugin that are not met, for each part. The condition makes errors show the members instead of the name of this type. */
type UnmetParts<Needs extends ContextTypes, Available extends ContextTypes> = Needs extends unknown
  ? {
      [Part in keyof ContextTypes as Available[Part] extends Needs[Part] ? never : Part]: UnmetNames<
        Needs[Part],
        Available[Part]
      >;
    }
  : never;
type UnmetNames<Needs, Available> = Needs extends unknown
  ? {
      [Name in keyof Needs as Unmet<Needs, Available, Name>]: Name extends keyof Available
        ? [needed: Needs[Name], found: Available[Name]]
        : Needs[Name];
    }
  : never;
type Unmet<Needs, Available, Name extends keyof Needs> = Name extends keyof Available
  ? Available[Name] extends Needs[Name]
    ? never
    : Name
  : Name;
