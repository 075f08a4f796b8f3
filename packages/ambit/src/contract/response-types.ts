/** The types of responses, by their status. */
import type { InferReply } from './infer-schema/infer-schema.ts';

type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

type ToStatus<Text> = Text extends `${infer Status extends number}` ? Status : never;

/** The statuses of a class, by the key that stands for it: `2xx`, `2XX`. */
export type StatusClass = {
  [Class in 1 | 2 | 3 | 4 | 5 as `${Class}xx` | `${Class}XX`]: ToStatus<`${Class}${Digit}${Digit}`>;
};

/** The statuses that a route may reply with: the declared ones, all of a declared class, or any if it declares `default`. */
export type StatusOf<Responses> = unknown extends Responses ? number : StatusOfKey<keyof Responses>;

type StatusOfKey<Key> = Key extends number
  ? Key
  : Key extends keyof StatusClass
    ? StatusClass[Key]
    : Key extends 'default'
      ? number
      : ToStatus<Key>;

/** All statuses of some classes. */
export type AnyStatus<Class extends 1 | 2 | 3 | 4 | 5> = StatusClass[`${Class}xx`];

/** The statuses that one entry covers: a class covers those without an entry of their own, and `default` covers all others. */
export type StatusOnlyOf<Key, Keys> = Key extends keyof StatusClass
  ? Exclude<StatusClass[Key], StatusOfKey<Exclude<Keys, keyof StatusClass | 'default'>>>
  : Key extends 'default'
    ? Exclude<AnyStatus<1 | 2 | 3 | 4 | 5>, StatusOfKey<Exclude<Keys, 'default'>>>
    : StatusOfKey<Key>;

/** The payload for a status: from its own entry, then from its class, then from `default`; `never` if none of these is declared. */
export type PayloadOf<Responses, Status extends number, Shared> = unknown extends Responses
  ? unknown
  : InferReply<Responses[EntryOf<keyof Responses, Status> & keyof Responses], Shared>;

type EntryOf<Key, Status extends number> = number extends Status
  ? Key
  : Status extends Key
    ? Status & Key
    : Extract<Key, `${Status}`> extends infer Exact
      ? [Exact] extends [never]
        ? ClassEntryOf<Key, Status>
        : Exact
      : never;

type ClassEntryOf<Key, Status extends number> = {
  [Class in Key & keyof StatusClass]: Status extends StatusClass[Class] ? Class : never;
}[Key & keyof StatusClass] extends infer Class
  ? [Class] extends [never]
    ? Extract<Key, 'default'>
    : Class
  : never;

/** Which responses a route with a response schema may send: those that the schema declares, or any. */
export type AllowedResponses = 'declared' | 'any';
