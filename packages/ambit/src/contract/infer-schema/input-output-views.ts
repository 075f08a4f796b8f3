/**
 * The views of a schema: its type differs for a client that sends the value, a handler that gets it, and a handler that replies with it.
 */

import type { UploadedFile } from '../multipart.ts';

export interface View {
  side: 'input' | 'output';
  /** The types that depend on no other keyword. */
  scalars: Scalars;
  /** The types of strings that have a format. */
  formats: object;
  /** The type of strings of the format `binary`, if they are files; `never` if they are strings. */
  file: unknown;
  /** Keywords for which `type` alone is not enough. */
  special: string;
  /** `'object'` if a schema with `properties` and without `type` is an object; otherwise `never`. */
  untyped: unknown;
  /** What `nullable` without `type` adds: `null` where values are serialized, nothing where they are validated. */
  untypedNull: null;
  /** The type that an optional member may have in addition: `undefined` if writing it leaves the member out. */
  absent: undefined;
  /** Whether values have passed through JSON, so that types of other libraries and `~unsafe` are what is left of them. */
  isFromJson: boolean;
}

/** A handler's view of a body: JSON, coerced, with defaults filled in. It may be any value that its schema accepts. */
export interface OutputView {
  side: 'output';
  scalars: ParsedScalars;
  formats: object;
  file: never;
  special: CompositeKeyword;
  untyped: never;
  untypedNull: never;
  absent: never;
  isFromJson: false;
}

/** A handler's view of the parts that are always objects. */
export interface FieldsView extends Omit<OutputView, 'untyped'> {
  untyped: 'object';
}

/** A client's view of a reply: the serializer writes objects, and JSON has no dates. */
export interface ReceivedView extends Omit<FieldsView, 'isFromJson' | 'untypedNull'> {
  untypedNull: null;
  isFromJson: true;
}

/** A client's view of a request. */
export interface InputView {
  side: 'input';
  scalars: ParsedScalars;
  formats: object;
  file: never;
  special: CompositeKeyword;
  untyped: 'object';
  untypedNull: never;
  absent: undefined;
  isFromJson: false;
}

/** A handler's view of a reply: what the serializer turns into JSON. */
export interface ReplyView {
  side: 'input';
  scalars: Scalars;
  formats: FormatValues;
  file: never;
  special: CompositeKeyword | 'format';
  untyped: 'object';
  untypedNull: null;
  absent: undefined;
  isFromJson: false;
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
