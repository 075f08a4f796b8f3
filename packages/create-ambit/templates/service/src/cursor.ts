import { CursorInvalid } from './problems.ts';

/** The place of a note among all notes of its user. Notes of the same millisecond differ by their ids. */
export interface Position {
  createdAt: string;
  id: string;
}

/** Clients get a position as an opaque text, so that its content can change without a new version of the API. */
export function encodeCursor({ createdAt, id }: Position): string {
  return Buffer.from(`${createdAt} ${id}`).toString('base64url');
}

/** @throws {CursorInvalid} for a text that is not from `encodeCursor`. */
export function decodeCursor(cursor: string): Position {
  const text = Buffer.from(cursor, 'base64url').toString();
  const [, createdAt = '', id = ''] = /^(\S{24}) ([\da-f-]{36})$/.exec(text) ?? [];
  if (Number.isNaN(Date.parse(createdAt))) throw new CursorInvalid('There is no such cursor');
  return { createdAt, id };
}
