/** Returns the document of an application, or of one of its contexts, without serving it. */
import type { Context } from 'ambit';
import { checkDocumentOptions } from './check-options.ts';
import { describeDocument } from './document/build-document.ts';
import type { OpenAPIDocument } from './document-types.ts';
import type { DocumentOptions } from './options.ts';

const registered = new WeakMap<object, DocumentOptions>();

/** Stores the options with which the plugin documents a context. */
export function rememberOptions(context: Context, options: DocumentOptions): void {
  registered.set(context, options);
}

/**
 * Boots an application, and describes the routes of a context and its children, whenever they were declared.
 *
 * @param context The root, or the context whose routes are described.
 * @param options Options of the document. The default is those with which `openapi` was registered in this context.
 * @returns The document.
 * @throws {OpenAPIError} for a schema that cannot be described, a security requirement without a declared scheme, or an
 *   invalid option.
 */
export async function toOpenAPI(
  context: Pick<Context, 'ready' | 'getSchemas'>,
  options?: DocumentOptions,
): Promise<OpenAPIDocument> {
  if (options !== undefined) checkDocumentOptions(options, 'toOpenAPI');
  await context.ready();
  // The plugin is loaded by then.
  return describeDocument(context as Context, options ?? registered.get(context) ?? {}).object();
}
