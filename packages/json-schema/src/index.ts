/** The public surface of @ambit/json-schema. */
export * from './check-document.ts';
export * from './content.ts';
export * from './declared-names.ts';
export * from './dialect.ts';
export * from './follow-reference.ts';
export * from './keywords.ts';
export { decode, encodeStep, followPointer, joinPointer, stepsOf } from './pointer.ts';
export { keyword, type Part, type Reference, Registry, references } from './references.ts';
export * from './schema.ts';
export * from './short-form.ts';
export * from './standard-schema.ts';
export * from './uri.ts';
export * from './walk.ts';
