/** Gives the document of an application, or of one of its contexts, without serving it. */
import type { Context } from 'ambit';
import { buildOwnDocument } from './document/build-document.ts';
import type { OpenAPIDocument } from './document-types.ts';
import { checkDocumentOptions, type DocumentOptions } from './options.ts';

const registered = new WeakMap<object, DocumentOptions>();

/** Remembers with which options a context is documented. */
export function rememberOptions(context: Context, options: DocumentOptions): void {
  registered.set(context, options);
}

/**
 * Boots an application, and describes the routes of a context and below it, whenever they were declared.
 *
 * @param context The root, or the context whose routes are wanted.
 * @param options What the document says besides; by default, what `openapi` was registered with in this context.
 * @returns The document.
 * @throws {OpenAPIError} for a schema that cannot be described, security that nothing declares, or a wrong option.
 */
export async function toOpenAPI(
  context: Pick<Context, 'ready' | 'getSchemas'>,
  options: DocumentOptions = registered.get(context) ?? {},
): Promise<OpenAPIDocument> {
  checkDocumentOptions(options, 'toOpenAPI');
  await context.ready();
  return buildOwnDocument(context as Context, options);
}
