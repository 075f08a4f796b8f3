/** Returns the paths at which a context serves a URL. The prefix of the context can end with a slash, and the URL can be just `/`. */
import type { RouteOptions } from '../../types/route-options.ts';
import type { ContextNode } from '../context-node.ts';

/** The URL `/` under a prefix stands for the prefix itself, with and without a slash at its end. */
export function pathsOf(
  { prefix, app }: ContextNode,
  options: RouteOptions,
  url: string,
): { path: string; isSecond: boolean }[] {
  const first = (path: string) => [{ path, isSecond: false }];
  if (url !== '/' || prefix === '' || options.method === 'HEAD') {
    return first(url.startsWith('/') && prefix.endsWith('/') ? url.slice(1) : url);
  }
  if (options.prefixTrailingSlash === 'slash') return first(url);
  if (options.prefixTrailingSlash === 'no-slash') return first('');
  const isAccepted =
    app.options.ignoreTrailingSlash || (app.options.ignoreDuplicateSlashes && prefix.endsWith('/'));
  return isAccepted ? first('') : [...first(''), { path: url, isSecond: true }];
}
