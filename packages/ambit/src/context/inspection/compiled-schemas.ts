/** The compiled schemas of a route, those of the request first. Loaded only for tools, with the engines. */
import { type ContentSchemas, readContentSchemas } from '../../schemas/content-schemas.ts';
import { serializerCode } from '../../schemas/serializer-engine.ts';
import { parseMediaRange } from '../../shared/media-type.ts';
import { isPlainObject } from '../../shared/values.ts';
import type { ValidatorFunction } from '../../types/compilers.ts';
import type { CompiledSchemaInfo } from '../../types/inspection.ts';
import type { RouteSchema } from '../../types/route-schema.ts';
import type { RouteRecord } from '../routes/add-route.ts';

export function listSchemas(record: RouteRecord, schema: RouteSchema): CompiledSchemaInfo[] {
  return [...requestSchemas(record, schema), ...responseSchemas(record, schema)];
}

function requestSchemas(record: RouteRecord, schema: RouteSchema): CompiledSchemaInfo[] {
  const { validators } = record.target.plan!;
  if (validators === undefined) return [];
  const declared = declaredParts(record);
  return validators.parts.flatMap((part) =>
    contentOf(part === 'body' ? schema.body : { forAllTypes: schema[part] }, part === 'body').map(
      ([contentType, resolved]) => {
        const validator =
          contentType === undefined ? validators[part] : validators.bodyByType?.get(contentType);
        return {
          part,
          status: undefined,
          contentType,
          declared: declaredOf(declared[part], contentType),
          resolved: compiledFrom(validator) ?? resolved,
          code: validatorCode(validator),
        };
      },
    ),
  );
}

function responseSchemas(record: RouteRecord, schema: RouteSchema): CompiledSchemaInfo[] {
  const { schemas, app } = record.node;
  const hasCustomSerializer =
    schemas.hasCustomCompiler('serializer') || Boolean(record.options.serializerCompiler);
  const declared = declaredParts(record).response as Record<string, unknown> | undefined;
  return Object.entries(schema.response || {}).flatMap(([status, entry]) =>
    contentOf(entry, true).map(([contentType, resolved]) => ({
      part: 'response' as const,
      status,
      contentType,
      declared: declaredOf(declared?.[status], contentType),
      resolved,
      code: hasCustomSerializer
        ? undefined
        : serializerCode(resolved, schemas.all(), app.options.ajv.dialect),
    })),
  );
}

/** The schemas that the route declares, under the names that validators have: `querystring` for `query`. */
function declaredParts({ declaredSchema }: RouteRecord): Record<string, unknown> {
  const { query, querystring = query, ...parts } = (declaredSchema ?? {}) as Record<string, unknown>;
  return { ...parts, querystring };
}

function declaredOf(declared: unknown, contentType: string | undefined): unknown {
  if (contentType === undefined || !isPlainObject(declared) || !isPlainObject(declared.content))
    return declared;
  const [, entry] =
    Object.entries(declared.content).find(([type]) => parseMediaRange(type) === contentType) ?? [];
  return isPlainObject(entry) ? (entry.schema ?? entry.itemSchema) : declared;
}

/** The schemas of a part with their media types, also those of the items of streams. A schema for all media types comes with `undefined`. */
function contentOf(entry: unknown, mayHaveContent: boolean): [string | undefined, unknown][] {
  const content = (mayHaveContent ? readContentSchemas(entry, 'a part', true) : entry) as ContentSchemas;
  return 'byType' in content ? [...content.byType, ...content.items] : [[undefined, content.forAllTypes]];
}

/** The properties of Ajv's functions that are read here. */
interface AjvFunction {
  readonly schema?: unknown;
  readonly schemaEnv?: { readonly validate?: unknown };
}

function compiledFrom(validator: ValidatorFunction | undefined): unknown {
  return (validator as AjvFunction | undefined)?.schema;
}

function validatorCode(validator: ValidatorFunction | undefined): string | undefined {
  const compiled = (validator as AjvFunction | undefined)?.schemaEnv?.validate;
  return typeof compiled === 'function' ? String(compiled) : undefined;
}
