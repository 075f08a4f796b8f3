/** Parses the head of one part of a form: its field and the media type of its value (RFC 7578, 4). Limits its size and the length of the name. */

import { FormError, invalid } from './form-error.ts';

/** The parsed head of a part. */
export interface PartHead {
  /** The name of the field. */
  readonly field: string;
  /** The name of the file without folders; `undefined` if the part names none. */
  readonly filename: string | undefined;
  /** The media type in lower case and without parameters; `text/plain` if the part names none (RFC 7578, 4.4). */
  readonly mediaType: string;
  /** The parameter `charset` of the media type. */
  readonly charset: string | undefined;
  /** Whether the media type is JSON. */
  readonly isJson: boolean;
}

/** Header fields by name in lower case, each character one byte. */
export type PartFields = Readonly<Record<string, readonly string[] | undefined>>;

export function readPartHead(
  fields: PartFields,
  { headerSize, fieldNameSize }: { readonly headerSize: number; readonly fieldNameSize: number },
): PartHead {
  const isTooLarge = sizeOf(fields) > headerSize;
  let head: PartHead;
  try {
    head = parseHead(fields);
  } catch (error) {
    throw isTooLarge ? headTooLarge('', headerSize) : error;
  }
  const name = Buffer.from(head.field);
  if (name.length > fieldNameSize) {
    const field = name.toString('utf8', 0, Math.min(fieldNameSize, 100));
    throw new FormError(
      'FIELD_NAME_TOO_LONG',
      `the name of the field '${field}…' is longer than ${fieldNameSize} bytes`,
      { field, limit: fieldNameSize },
    );
  }
  if (isTooLarge) throw headTooLarge(head.field, headerSize);
  return head;
}

export function headTooLarge(field: string, limit: number): FormError {
  return new FormError(
    'PART_HEAD_TOO_LARGE',
    `the head of the part for field '${field}' is larger than ${limit} bytes`,
    { field, limit },
  );
}

/** Returns the size of a head as it was sent, with `name: value` and a line end for each field. */
function sizeOf(fields: PartFields): number {
  let bytes = 0;
  for (const [name, values = []] of Object.entries(fields)) {
    for (const value of values) bytes += name.length + value.length + 4;
  }
  return bytes;
}

function parseHead(fields: PartFields): PartHead {
  const dispositions = fields['content-disposition'] ?? [];
  if (dispositions.length !== 1) throw invalid('a part has no Content-Disposition, or several');
  const disposition = Buffer.from(dispositions[0]!, 'latin1').toString();
  // RFC 9110, 5.5: no field value contains NUL.
  if (disposition.includes('\0')) throw invalid('a Content-Disposition contains NUL');
  if (!/^\s*form-data\s*(?:;|$)/i.test(disposition))
    throw invalid('the Content-Disposition of a part is not form-data');
  const parameters = readDisposition(disposition);
  const field = parameters.get('name');
  if (field === undefined) throw invalid('a part has no name');
  const filename = decodeExtended(parameters.get('filename*')) ?? parameters.get('filename');
  if (filename?.includes('\0')) throw invalid('a file name contains NUL');
  const contentType = fields['content-type']?.[0];
  const mediaType = contentType === undefined ? 'text/plain' : typeOf(contentType);
  if (mediaType === undefined) throw invalid(`the Content-Type of field '${field}' is not a media type`);
  return {
    field,
    filename: filename === undefined ? undefined : baseName(filename),
    mediaType,
    charset: contentType && parameterOf(contentType, 'charset'),
    isJson: mediaType === 'application/json' || mediaType.endsWith('+json'),
  };
}

/** One `; name=token` or `; name="text"`. In quotes, only `\"` and `\\` are escapes: Windows paths have single backslashes. */
const dispositionParameter = /;\s*([^\s=;"]+)\s*=\s*(?:"((?:\\["\\]|[^"])*)"|([^\s;"]*))/g;

function readDisposition(disposition: string): Map<string, string> {
  const parameters = new Map<string, string>();
  for (const [, name, quoted, token] of disposition.matchAll(dispositionParameter)) {
    const key = name!.toLowerCase();
    if (parameters.has(key)) throw invalid(`a part has the parameter ${key} twice`);
    parameters.set(key, decodeEscapes(quoted === undefined ? token! : quoted.replace(/\\(["\\])/g, '$1')));
  }
  return parameters;
}

/** Decodes the characters that browsers escape in names (HTML, 4.10.21.8, "Multipart form data"). */
function decodeEscapes(text: string): string {
  return text.replace(/%(0A|0D|22)/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/**
 * Decodes a value such as `UTF-8''caf%C3%A9.pdf` (RFC 8187, 3.2). Forms should not have one (RFC 7578, 4.2), but some clients send it.
 *
 * @returns `undefined` if it cannot be decoded.
 */
function decodeExtended(value: string | undefined): string | undefined {
  const [, charset, text] = /^(utf-8|iso-8859-1)'[^']*'(.*)$/is.exec(value ?? '') ?? [];
  if (text === undefined) return undefined;
  if (charset!.toLowerCase() !== 'utf-8')
    return text.replace(/%([\da-f]{2})/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** RFC 7578, 4.2: folders in a file name must not be used. */
function baseName(filename: string): string {
  const name = filename.slice(Math.max(filename.lastIndexOf('/'), filename.lastIndexOf('\\')) + 1);
  return name === '.' || name === '..' ? '' : name;
}

/** A media type without its parameters (RFC 9110, 8.3.1). */
const type = /^[\t ]*([\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+)[\t ]*(?:;|$)/;

/** One `;name=token` or `;name="quoted string"` (RFC 9110, 5.6.6). Clients such as those of iOS do not quote a boundary with other characters. */
const typeParameter =
  /;[\t ]*([\w!#$%&'*+.^`|~-]+)=((?<=;[\t ]*boundary=)[\w!#$%&'*+.^`|~()/:=?@,-]+|[\w!#$%&'*+.^`|~-]+|"(?:[\t !#-[\]-~\x80-\xff]|\\[\t -~\x80-\xff])*")/gi;

function typeOf(contentType: string): string | undefined {
  return type.exec(contentType)?.[1]?.toLowerCase();
}

/** Returns a parameter of a Content-Type; the last one if it occurs several times. */
function parameterOf(contentType: string, name: string): string | undefined {
  const found = [...contentType.matchAll(typeParameter)].findLast(([, key]) => key!.toLowerCase() === name);
  const text = found?.[2];
  return text?.startsWith('"') ? text.slice(1, -1).replace(/\\(.)/gs, '$1') : text;
}

/**
 * Returns the boundary of a form, which separates its parts.
 *
 * @param contentType The field Content-Type of a request.
 * @returns `undefined` if it is not `multipart/form-data`, or has no boundary.
 */
export function boundaryOf(contentType: string | undefined): string | undefined {
  return contentType !== undefined && typeOf(contentType) === 'multipart/form-data'
    ? parameterOf(contentType, 'boundary')
    : undefined;
}
