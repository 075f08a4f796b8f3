/** On Deno, creates responses of strings with any content type and status as fast as Deno's own `Response.json`. */
import { deno } from '../shared/js-runtime.ts';

/**
 * The properties from which Deno sends a response without reading header fields. Deno sets them for `Response.json`, and for a string
 * without header fields. They are not documented.
 */
interface FastFields {
  readonly inner: symbol;
  readonly status: symbol;
  readonly kind: symbol;
  readonly sentType: symbol;
  /** The content type for code that reads the response. */
  readonly readType: symbol;
}

type FastResponse = Response & Record<symbol, unknown>;

/** Copied, because the global is a getter, which each use would call. */
const { Response } = globalThis;

const jsonKind = 2;

/** `undefined` on other runtimes, and on a version of Deno that creates responses in another way, where responses are only slower. */
const fastFields = deno === undefined ? undefined : findFields();

export const canMakeFastResponses: boolean = fastFields !== undefined;

// HOT: once per reply on Deno: a `Response` with `Headers` takes three times as long (benchmark `get`).
/**
 * @param status A status that allows content.
 * @param type A valid value of a header field: it is not checked here.
 */
export function makeFastResponse(text: string, status: number, type: string): Response {
  const { inner, status: sentStatus, kind, sentType, readType } = fastFields!;
  const response = new Response(text) as FastResponse;
  response[kind] = jsonKind;
  response[sentType] = type;
  response[readType] = type;
  if (status !== 200) {
    response[sentStatus] = status;
    (response[inner] as { status: number }).status = status;
  }
  return response;
}

/** Finds the properties, if they have the expected names and values, and no other property depends on the type of a response. */
function findFields(): FastFields | undefined {
  const text = new Response('""') as FastResponse;
  const json = Response.json('') as FastResponse;
  const find = (name: string, ofText: unknown, ofJson: unknown): symbol | undefined =>
    Object.getOwnPropertySymbols(json).find(
      (field) => field.description === name && text[field] === ofText && json[field] === ofJson,
    );
  const inner = Object.getOwnPropertySymbols(json).find((field) => field.description === 'response');
  const status = find('serve fast status', 200, 200);
  const kind = find('serve fast header kind', 1, jsonKind);
  const sentType = find('serve fast content type', null, 'application/json');
  const readType = find('lazy static content type', null, 'application/json');
  if (!inner || !status || !kind || !sentType || !readType) return undefined;
  const differing = Object.getOwnPropertySymbols(json).filter((field) => text[field] !== json[field]);
  const isKnown =
    differing.length === 4 &&
    JSON.stringify(text[inner]) === JSON.stringify(json[inner]) &&
    (json[inner] as { status?: unknown }).status === 200;
  return isKnown ? { inner, status, kind, sentType, readType } : undefined;
}
