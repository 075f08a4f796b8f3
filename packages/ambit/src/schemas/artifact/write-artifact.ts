/** Writes the artifact of an application that has booted: one module with everything that its default engines compile. */
import type { AjvOptions } from '../../types/compilers.ts';
import { SerializerSource } from '../serializer-engine.ts';
import { type Artifact, type ArtifactSection, engineVersions } from './artifact.ts';
import { ValidatorSource } from './validator-source.ts';

/** Returns the text of an ES module that imports nothing. */
export function writeArtifact({ sections }: Artifact): string {
  const source = new ValidatorSource();
  const validators = new Map<string, string>();
  const serializers = new Map<string, string>();
  for (const section of sections) {
    const { part, options, shared } = section.settings;
    if (part === 'validators') {
      const keys = newKeys(section, validators);
      const numbers = source.add(shared, options as AjvOptions, keys.keys());
      for (const [content, key] of keys) validators.set(key, String(numbers.get(content)));
    } else {
      const programs = new SerializerSource(shared, (options as AjvOptions).dialect);
      for (const [content, key] of newKeys(section, serializers))
        serializers.set(key, programs.write(content));
    }
  }
  const builtWith = engineVersions();
  return `// Written by compileSchemas of ambit ${builtWith.ambit}. Do not edit: run it again.
export default {
builtWith:${JSON.stringify(builtWith)},
validators:${asObject(validators)},
modules:[
${source.modules.join(',\n')}
],
serializers:${asObject(serializers)}
};
`;
}

/**
 * Returns the keys, by content, of the schemas that an artifact can contain and does not contain yet, because engines may have the same
 * schemas.
 */
function newKeys(section: ArtifactSection<unknown>, known: ReadonlyMap<string, string>): Map<string, string> {
  const keys = new Map<string, string>();
  for (const content of section.contents) {
    const key = section.keyOf(content);
    if (key !== undefined && !known.has(key)) keys.set(content, key);
  }
  return keys;
}

function asObject(entries: ReadonlyMap<string, string>): string {
  return `{\n${[...entries].map(([key, code]) => `"${key}":${code}`).join(',\n')}\n}`;
}
