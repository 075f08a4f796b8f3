/** The two ways to get a document: the plugin that serves it with a page to read it, and `toOpenAPI`. */
import { type Context, type ContextTypes, type HoistedPlugin, hoist } from 'ambit';
import { describeDocument, describeForCaller } from './document/build-document.ts';
import type { OpenAPIDocument } from './document-types.ts';
import {
  checkDocumentOptions,
  checkPluginOptions,
  type DocumentOptions,
  documentOptionsOf,
  type OpenAPIOptions,
} from './options.ts';
import { servePage } from './page/serve-page.ts';
import { ServedDocument } from './served-document.ts';

/** The options with which the plugin documents a context. */
const registered = new WeakMap<object, DocumentOptions>();

/**
 * Serves `/openapi.json`, `/openapi.yaml` and the page `/docs` for the context that it is registered in. The document
 * contains the routes of this context and of its children, whenever they are declared. A schema that cannot be
 * described fails boot.
 */
export const openapi: HoistedPlugin<OpenAPIOptions, Context, ContextTypes> = hoist(
  async (context: Context, options: OpenAPIOptions): Promise<void> => {
    checkPluginOptions(options, 'openapi');
    const documentOptions = documentOptionsOf(options);
    registered.set(context, documentOptions);
    const servedDocument = new ServedDocument(() => describeDocument(context, documentOptions));
    const { json = '/openapi.json', yaml = '/openapi.yaml', docs = '/docs' } = options;
    if (json !== false) servedDocument.serve(context, json, 'json');
    if (yaml !== false) servedDocument.serve(context, yaml, 'yaml');
    if (docs !== false) servePage(context, servedDocument, { docs, json, options: documentOptions });
    context.addHook('onReady', async () => void servedDocument.build());
  },
  { name: '@ambit/openapi' },
);

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
  return describeForCaller(context as Context, options ?? registered.get(context) ?? {});
}
