/** Checks the option `health`, and fills in its defaults. */
import { OptionsInvalid } from '../../types/errors.ts';
import type { HealthOptions } from '../../types/feature-options.ts';
import { checkNames } from '../options/check-options.ts';

const defaults = { live: '/livez', ready: '/readyz' } as const;

/** The paths of probes; `false` if there is no such route. */
export type HealthPaths = Readonly<Required<HealthOptions>>;

/** @throws {OptionsInvalid} {UnknownOption} */
export function resolveHealth(health: HealthOptions | true): HealthPaths {
  if (health === true) return defaults;
  checkNames(health, Object.keys(defaults), 'health');
  const paths = { live: health.live ?? defaults.live, ready: health.ready ?? defaults.ready };
  for (const [name, path] of Object.entries(paths)) {
    // A probe calls one fixed path, so the characters of parameters and wildcards are not allowed.
    if (path !== false && !(typeof path === 'string' && /^\/[^:*?#]*$/.test(path)))
      throw new OptionsInvalid(
        `health.${name} must be a path such as '${defaults[name as 'live']}' or false, instead got ${JSON.stringify(path)}`,
      );
  }
  if (paths.live !== false && paths.live === paths.ready)
    throw new OptionsInvalid(
      `health.live and health.ready must be different paths, instead got '${paths.live}' for both`,
    );
  return paths;
}
