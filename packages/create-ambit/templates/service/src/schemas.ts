/** The schemas that routes share: `{ $ref: 'Note#' }`. TypeScript knows the type behind each reference. */
export const userSchema = {
  $id: 'User',
  type: 'object',
  properties: { id: { type: 'string', format: 'uuid' }, name: { type: 'string' } },
  required: ['id', 'name'],
} as const;

export const noteSchema = {
  $id: 'Note',
  type: 'object',
  properties: {
    id: { type: 'string', format: 'uuid' },
    text: { type: 'string' },
    createdAt: { type: 'string', format: 'date-time' },
    attachment: { type: ['string', 'null'], description: 'The name of the attached file' },
  },
  required: ['id', 'text', 'createdAt', 'attachment'],
} as const;

export const problemSchema = {
  $id: 'Problem',
  type: 'object',
  properties: { message: { type: 'string' } },
  required: ['message'],
} as const;
