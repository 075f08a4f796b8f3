/**
 * Parses the head of one part of a form: its field and the media type of its value (RFC 7578, 4). Limits its size and the length of the
 * name.
 */

import { parseMediaType } from '../../shared/media-type.ts';
import { FieldNameTooLong, MultipartInvalid, PartHeadTooLarge } from '../../types/errors.ts';
import type { FormLimits } from './form-reader.ts';

/** The parsed head of a part. */
export interface PartHead {
  readonly field: string;
  /** The name of the file without folders; `undefined` if the part names none. */
  readonly filename: string | undefined;
  /** The media type without parameters; `text/plain` if the part names none (RFC 7578, 4.4). */
  readonly mediaType: string;
  readonly charset: string | undefined;
}

/** Header fields by name in lower case, each character one byte. */
export type PartFields = Readonly<Record<string, readonly string[] | undefined>>;

/** @throws {PartHeadTooLarge} {FieldNameTooLong} {MultipartInvalid} */
export function readPartHead(fields: PartFields, { headerSize, fieldNameSize }: FormLimits): PartHead {
  const headBytes = sizeOf(fields);
  const isTooLarge = headBytes > headerSize;
  let head: PartHead;
  try {
    head = parseHead(fields);
  } catch (error) {
    throw isTooLarge ? new PartHeadTooLarge('', headerSize) : error;
  }
  const name = Buffer.from(head.field);
  if (name.length > fieldNameSize)
    throw new FieldNameTooLong(name.toString('utf8', 0, Math.min(fieldNameSize, 100)), fieldNameSize);
  if (isTooLarge) throw new PartHeadTooLarge(head.field, headerSize);
  return head;
}

/** Returns the size of a head as it was sent, with `name: value` and a line end for each field. */
function sizeOf(fields: PartFields): number {
  let bytes = 0;
  for (const [name, values = []] of Object.entries(fields)) {
    for (const value of values) bytes += name.length + value.length + 4;
  }
  return bytes;
}

/** @throws {MultipartInvalid} if the part is not a field of a form. */
function parseHead(fields: PartFields): PartHead {
  const dispositions = fields['content-disposition'] ?? [];
  if (dispositions.length !== 1) throw new MultipartInvalid('a part has no Content-Disposition, or several');
  const disposition = decodeUtf8(dispositions[0]!);
  // RFC 9110, 5.5: no field value contains NUL.
  if (disposition.includes('\0')) throw new MultipartInvalid('a Content-Disposition contains NUL');
  if (!/^\s*form-data\s*(?:;|$)/i.test(disposition))
    throw new MultipartInvalid('the Content-Disposition of a part is not form-data');
  const parameters = readParameters(disposition);
  const field = parameters.get('name');
  if (field === undefined) throw new MultipartInvalid('a part has no name');
  const filename = decodeExtended(parameters.get('filename*')) ?? parameters.get('filename');
  if (filename?.includes('\0')) throw new MultipartInvalid('a file name contains NUL');
  const contentType = fields['content-type']?.[0];
  const { essence, parameters: typeParameters } = parseMediaType(contentType);
  if (contentType !== undefined && essence === undefined)
    throw new MultipartInvalid(`the Content-Type of field '${field}' is not a media type`);
  return {
    field,
    filename: filename === undefined ? undefined : baseName(filename),
    mediaType: essence ?? 'text/plain',
    charset: typeParameters.get('charset'),
  };
}

/** One `; name=token` or `; name="text"`. In quotes, only `\"` and `\\` are escapes: Windows paths have single backslashes. */
const parameter = /;\s*([^\s=;"]+)\s*=\s*(?:"((?:\\["\\]|[^"])*)"|([^\s;"]*))/g;

function readParameters(disposition: string): Map<string, string> {
  const parameters = new Map<string, string>();
  for (const [, name, quoted, token] of disposition.matchAll(parameter)) {
    const key = name!.toLowerCase();
    if (parameters.has(key)) throw new MultipartInvalid(`a part has the parameter ${key} twice`);
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

function decodeUtf8(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString();
}
