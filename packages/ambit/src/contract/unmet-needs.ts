/** What the compiler reports for a plugin that does not fit the context that registers it. */
import type { ContextTypes } from './context-types.ts';
import type { TypesOf } from './registration.ts';

/** Names the options that a plugin has to be given. */
export interface OptionsMissing<_Options> {
  readonly 'the options that it takes': never;
}

/** Names what a plugin needs and its context does not have. */
export interface NeedsUnmet<_Needs> {
  readonly 'a context with all that the plugin needs': never;
}

/** A plugin may say what it needs by its bundle of types, or as members of the context, `Context & { db: Db }`. */
export type UnmetNeeds<Asked, Found> =
  TypesOf<Found> extends TypesOf<Asked>
    ? {
        context: Asked extends unknown ? { [Name in Exclude<keyof Asked, keyof Found>]: Asked[Name] } : never;
      }
    : UnmetParts<TypesOf<Asked>, TypesOf<Found>>;

/** Of the needs of a plugin, part by part, those that are not met. Behind a condition, so that errors show it and not this name. */
type UnmetParts<Asked extends ContextTypes, Found extends ContextTypes> = Asked extends unknown
  ? {
      [Part in keyof ContextTypes as Found[Part] extends Asked[Part] ? never : Part]: UnmetNames<
        Asked[Part],
        Found[Part]
      >;
    }
  : never;
type UnmetNames<Asked, Found> = Asked extends unknown
  ? {
      [Name in keyof Asked as Unmet<Asked, Found, Name>]: Name extends keyof Found
        ? [needed: Asked[Name], found: Found[Name]]
        : Asked[Name];
    }
  : never;
type Unmet<Asked, Found, Name extends keyof Asked> = Name extends keyof Found
  ? Found[Name] extends Asked[Name]
    ? never
    : Name
  : Name;
