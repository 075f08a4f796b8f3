/** The sides from which the values of a schema are looked at, and what the scalar types are from there. */

import type { UploadedFile } from '../multipart.ts';

export interface View {
  side: 'input' | 'output';
  /** The types that need no look at other keywords. */
  scalars: Scalars;
  /** The types of strings that have a format. */
  formats: object;
  /** The type of strings of the format `binary`, where they are files; `never` where they are strings. */
  file: unknown;
  /** Keywords that need more than a look at `type`. */
  special: string;
  /** `'object'`: properties that are listed without a `type` are those of an object all the same. */
  untyped: unknown;
  /** What a member that need not be there may be besides: writing `undefined` leaves it out. */
  absent: undefined;
}

/** A handler's view of a body: JSON, coerced, with defaults filled in. It may be anything that its schema lets through. */
export interface OutputView {
  side: 'output';
  scalars: ParsedScalars;
  formats: object;
  file: never;
  special: CompositeKeyword;
  untyped: never;
  absent: never;
}

/** A handler's view of the parts that are objects by nature, and a client's view of a reply, which the serializer made one. */
export interface FieldsView extends Omit<OutputView, 'untyped'> {
  untyped: 'object';
}

/** A client's view of a request. */
export interface InputView {
  side: 'input';
  scalars: ParsedScalars;
  formats: object;
  file: never;
  special: CompositeKeyword;
  untyped: 'object';
  absent: undefined;
}

/** A handler's view of a reply: what the serializer turns into JSON. */
export interface ReplyView {
  side: 'input';
  scalars: Scalars;
  formats: FormatValues;
  file: never;
  special: CompositeKeyword | 'format';
  untyped: 'object';
  absent: undefined;
}

/** A view of the body of a form, in which strings of the format `binary` are files. */
export type FormView<V extends View> = V['side'] extends 'output' ? FormOutputView : FormInputView;

interface FormOutputView extends Omit<OutputView, 'file' | 'special'> {
  file: UploadedFile;
  special: CompositeKeyword | 'format';
}

interface FormInputView extends Omit<InputView, 'file' | 'special'> {
  file: Blob;
  special: CompositeKeyword | 'format';
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
