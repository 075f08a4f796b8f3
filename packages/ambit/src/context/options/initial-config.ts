/** Creates `initialConfig`: the options that contain no secrets, such as the key of a certificate. */

import { frozenCopy } from '../../shared/plain-object.ts';
import type { AmbitOptions, RouterOptions } from '../../types/options.ts';
import type { ResolvedPublicOptions } from './public-options.ts';

/** Options that are shown only if they were set, because the ecosystem does not expect their defaults. */
const publicWhenSet = ['headersTimeout', 'return503OnClosing', 'allowErrorHandlerOverride'] as const;

export function makeInitialConfig(
  userOptions: AmbitOptions,
  publicOptions: ResolvedPublicOptions,
  router: RouterOptions,
): Readonly<Record<string, unknown>> {
  const {
    buildPrettyMeta,
    querystringParser,
    constraints,
    defaultRoute,
    onBadUrl,
    onMaxParamLength,
    ...simple
  } = router;
  const { compile, ...atTopLevel } = simple;
  const config: Record<string, unknown> = { ...publicOptions, ...atTopLevel };
  for (const name of publicWhenSet) if (userOptions[name] === undefined) delete config[name];
  if (userOptions.constraints !== undefined) config.constraints = userOptions.constraints;
  if (userOptions.routerOptions != null) config.routerOptions = { ...userOptions.routerOptions, ...simple };
  if (userOptions.forceCloseConnections !== undefined)
    config.forceCloseConnections = userOptions.forceCloseConnections;
  if (userOptions.http2 !== undefined) config.http2 = userOptions.http2;
  if (userOptions.https !== undefined) config.https = publicHttps(userOptions.https);
  return frozenCopy(config);
}

function publicHttps(https: AmbitOptions['https']): unknown {
  if (typeof https !== 'object' || https === null) return https;
  const { allowHTTP1 } = https;
  return allowHTTP1 === undefined ? true : { allowHTTP1 };
}
