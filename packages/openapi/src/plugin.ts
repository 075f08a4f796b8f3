/** The plugin. It serves the document of a context and a page to read it, and checks at boot that the document can be built. */
import { type Context, type ContextTypes, type HoistedPlugin, hoist } from 'ambit';
import { checkPluginOptions, documentOptionsOf } from './check-options.ts';
import { describeDocument } from './document/build-document.ts';
import type { OpenAPIOptions } from './options.ts';
import { servePage } from './page/serve-page.ts';
import { ServedDocument } from './served-document.ts';
import { rememberOptions } from './to-openapi.ts';

const hidden = { hide: true };

/**
 * Serves `/openapi.json`, `/openapi.yaml` and the page `/docs` for the context that it is registered in. The document
 * contains the routes of this context and of its children, whenever they are declared. A schema that cannot be
 * described fails boot.
 */
export const openapi: HoistedPlugin<OpenAPIOptions, Context, ContextTypes> = hoist(
  async (context: Context, options: OpenAPIOptions): Promise<void> => {
    checkPluginOptions(options, 'openapi');
    const documentOptions = documentOptionsOf(options);
    rememberOptions(context, documentOptions);
    const servedDocument = new ServedDocument(() => describeDocument(context, documentOptions));
    const { json = '/openapi.json', yaml = '/openapi.yaml', docs = '/docs' } = options;
    if (json !== false) {
      context.get(json, { schema: hidden }, (request, reply) =>
        servedDocument.reply(request, reply, 'application/json; charset=utf-8', 'json'),
      );
    }
    if (yaml !== false) {
      context.get(yaml, { schema: hidden }, (request, reply) =>
        servedDocument.reply(request, reply, 'application/yaml; charset=utf-8', 'yaml'),
      );
    }
    if (docs !== false) servePage(context, servedDocument, { docs, json, options: documentOptions });
    // Only checks that the document can be built. The first request for it builds it again.
    context.addHook('onReady', async () => {
      const document = describeDocument(context, documentOptions);
      if (documentOptions.transform !== undefined) document.object();
    });
  },
  { name: '@ambit/openapi' },
);
