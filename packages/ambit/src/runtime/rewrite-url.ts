/** Calls the option `rewriteUrl`, which returns the URL that the router uses. */
import type { ErrorTranslator } from '../contract/compatibility.ts';
import type { Context } from '../contract/context.ts';
import { RewriteNotString } from '../contract/errors.ts';
import type { Exchange } from '../contract/exchange.ts';
import type { AmbitOptions } from '../contract/options.ts';
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
