/** The sides from which the values of a schema are looked at, and what the scalar types are from there. */

export interface View {
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

/** A handler's view of a request: JSON, coerced, with defaults filled in. */
export interface OutputView {
  side: 'output';
  scalars: ParsedScalars;
  formats: object;
  special: CompositeKeyword;
  absent: never;
}

/** A client's view of a request. */
export interface InputView {
  side: 'input';
  scalars: ParsedScalars;
  formats: object;
  special: CompositeKeyword;
  absent: undefined;
}

/** A handler's view of a reply: what the serializer turns into JSON. */
export interface ReplyView {
  side: 'input';
  scalars: Scalars;
  formats: FormatValues;
  special: CompositeKeyword | 'format';
  absent: undefined;
}

export interface Scalars {
  string: string;
  number: number;
  integer: number | bigint;
  boolean: boolean;
  null: null;
}
interface ParsedScalars extends Scalars {
  integer: number;
}
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
