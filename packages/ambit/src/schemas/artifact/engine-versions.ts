/** The versions of the packages that decide what schemas are compiled to. */
import { require } from '../../shared/require.ts';
import { version } from '../../shared/version.ts';

const engines: readonly string[] = ['ajv', 'ajv-formats', '@ambit/json-serializer'];
let versions: Readonly<Record<string, string>> | undefined;

export function engineVersions(): Readonly<Record<string, string>> {
  versions ??= {
    ambit: version,
    ...Object.fromEntries(engines.map((name) => [name, require(`${name}/package.json`).version as string])),
  };
  return versions;
}
