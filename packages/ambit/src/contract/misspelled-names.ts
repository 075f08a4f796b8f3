/** Finds misspelled names at the type level, for objects in which the compiler accepts any name. */

/**
 * Rejects a name that differs from a known one by a single mistake: a letter is missing, doubled, or swapped with the next, or the case
 * differs.
 */
export type RejectMisspelled<Names extends PropertyKey, Known extends PropertyKey> = Names &
  TypoOf<Known & string> extends never
  ? unknown
  : { [Name in Names & TypoOf<Known & string>]: DidYouMean<IntendedName<Name, Known & string>> };

/** Tells which name was probably meant. */
export interface DidYouMean<_Name> {
  readonly [intendedName]: never;
}
declare const intendedName: unique symbol;

type IntendedName<Name, Known extends string> = Known extends string
  ? Name extends TypoOf<Known>
    ? Known
    : never
  : never;

type TypoOf<Known extends string> = Known extends string
  ? Exclude<TypoIn<Known, ''> | Lowercase<Known> | Uppercase<Known> | Capitalize<Known>, Known>
  : never;

type TypoIn<Rest extends string, Before extends string> = Rest extends `${infer Letter}${infer After}`
  ?
      | `${Before}${After}`
      | `${Before}${Letter}${Letter}${After}`
      | (After extends `${infer Next}${infer Tail}` ? `${Before}${Next}${Letter}${Tail}` : never)
      | TypoIn<After, `${Before}${Letter}`>
  : never;
