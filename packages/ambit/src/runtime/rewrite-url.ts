/** Calls the option `rewriteUrl`, which returns the URL that the router uses. */

import type { Context } from '../types/context.ts';
import { RewriteNotString } from '../types/errors.ts';
import type { Exchange } from '../types/exchange.ts';
import type { ErrorTranslator } from '../types/flavor.ts';
import type { AmbitOptions } from '../types/options.ts';
import type { Dispatcher } from './dispatcher.ts';

/**
 * @returns A function that sets the URL of an exchange. It returns `false` if the application's function failed; the exchange has ended
 *   then.
 */
export function makeUrlRewriter(
  rewriteUrl: NonNullable<AmbitOptions['rewriteUrl']>,
  { root, translateError }: { readonly root: Context; readonly translateError: ErrorTranslator },
  dispatcher: Dispatcher,
): (x: Exchange) => boolean {
  return (x) => {
    x.originalUrl = x.url;
    try {
      const url: unknown = rewriteUrl.call(root, x.rawRequest);
      if (typeof url === 'string') {
        x.url = url;
        return true;
      }
      x.destroy(translateError(new RewriteNotString(x.url, typeof url)));
    } catch (error) {
      dispatcher.handleEarlyError(x, error);
    }
    return false;
  };
}
