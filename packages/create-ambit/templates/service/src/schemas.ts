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

/** Problem details (RFC 9457): the form of all errors. */
export const problemSchema = {
  $id: 'Problem',
  type: 'object',
  properties: {
    type: { type: 'string', format: 'uri-reference' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    instance: { type: 'string', description: 'The id of the request, which is also in the log' },
  },
  required: ['type', 'title', 'status'],
} as const;

/** The response of a route for a status that is an error. */
export const problem = {
  content: { 'application/problem+json': { schema: { $ref: 'Problem#' } } },
} as const;
