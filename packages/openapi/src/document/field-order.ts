/** The order of the fields of a document. */
import type { Json } from '../json.ts';
import type { DocumentFields } from './described-document.ts';

const order = [
  'openapi',
  'info',
  'servers',
  'security',
  'tags',
  'externalDocs',
  'paths',
  'webhooks',
  'components',
];

/** The fields in the order in which people read them: short fields first, then the long lists. */
export function inOrder(fields: Json): DocumentFields {
  const rest = Object.keys(fields)
    .filter((name) => !order.includes(name))
    .sort();
  const names = [...order, ...rest].filter((name) => fields[name] !== undefined);
  return names.map((name) => [name, fields[name]]);
}
