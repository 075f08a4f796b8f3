/** The public surface of `@ambit/openapi`. */
export type * from './document-types.ts';
export { OpenAPIError, type OpenAPIErrorCode } from './openapi-error.ts';
export type { DocsOptions, DocumentOptions, OpenAPIOptions, OpenAPIVersion } from './options.ts';
export { openapi, toOpenAPI } from './plugin.ts';
export { describeRoutes, type RouteDetails } from './route-details.ts';
export type { DescribeSchema, Side } from './schema/plain-schema.ts';
