/** Creates the `multipart/form-data` parser of a route, if its schema declares that type and the application has no parser for it. */

import { isStandardSchema, toJsonSchema } from '@ambit/json-schema';
import type { ContextNode } from '../context/context-node.ts';
import { makeJsonReader } from '../context/parsers.ts';
import type { RouteRecord } from '../context/routes/add-route.ts';
import { ownOption } from '../context/routes/route-options.ts';
import { FormParser } from '../runtime/form-parser.ts';
import { readFormShape } from '../schemas/form-schemas.ts';
import { formType } from '../shared/media-type.ts';
import type { MultipartOptions } from '../types/multipart.ts';
import type { Plan } from '../types/plan.ts';

export function withFormParser(
  findParser: Plan['findParser'],
  record: RouteRecord,
  node: ContextNode,
  schema: unknown,
): Plan['findParser'] {
  const parser = makeParser(record, node, schema);
  return (mediaType) => findParser(mediaType) ?? (mediaType.essence === formType ? parser : undefined);
}

function makeParser({ options }: RouteRecord, node: ContextNode, schema: unknown): FormParser {
  const { app } = node;
  const { onProtoPoisoning: onProto, onConstructorPoisoning: onConstructor } = app.options;
  const described = isStandardSchema(schema) ? toJsonSchema(schema, 'input') : schema;
  const parser = new FormParser({
    limitBytes: options.bodyLimit ?? app.options.bodyLimit,
    limits: { ...app.options.userOptions.multipart, ...withoutUndefined(ownOption(options, 'multipart')) },
    shape: readFormShape(described, node.schemas.visible),
    poisoning: { onProto, onConstructor },
    readJson: makeJsonReader(onProto, onConstructor),
  });
  // Runs when the servers have closed.
  app.boot.onClose(node.api, () => parser.removeAll());
  return parser;
}

function withoutUndefined(limits: MultipartOptions = {}): MultipartOptions {
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined));
}
