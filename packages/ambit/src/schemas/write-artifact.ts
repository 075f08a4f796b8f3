/** Writes the artifact of an application that has booted: one module with everything that its default engines compile. */
import type { Ajv, AnySchemaObject } from 'ajv';
import type { AjvOptions, SharedSchemas, ValidatorFunction } from '../types/compilers.ts';
import { AjvInstances } from './ajv-instances.ts';
import { type ArtifactSection, conversionModule, engineVersions, fileModule, keyOf } from './artifact.ts';
import type { ConversionParts } from './conversion.ts';
import { validateFile } from './form-schemas.ts';
import { programWriter } from './serializer-engine.ts';

/** Returns the text of an ES module that imports nothing. */
export function writeArtifact(sections: readonly ArtifactSection[]): string {
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
      const write = programWriter(shared, (options as AjvOptions).dialect);
      for (const [content, key] of newKeys(section, serializers)) serializers.set(key, write(content));
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
function newKeys(section: ArtifactSection, known: ReadonlyMap<string, string>): Map<string, string> {
  const keys = new Map<string, string>();
  for (const content of section.contents) {
    const key = keyOf(section, content);
    if (key !== undefined && !known.has(key)) keys.set(content, key);
  }
  return keys;
}

function asObject(entries: ReadonlyMap<string, string>): string {
  return `{\n${[...entries].map(([key, code]) => `"${key}":${code}`).join(',\n')}\n}`;
}

/** A function of Ajv, with its source. */
type CompiledFunction = ReturnType<Ajv['compile']>;
type Source = NonNullable<CompiledFunction['source']>;
type ScopeName = Parameters<NonNullable<Parameters<Ajv['scope']['scopeCode']>[2]>>[0];

/**
 * Writes validators as code that does not need Ajv: the functions that Ajv compiles, and what they refer to. Each function is written once,
 * and refers to others by number.
 */
export class ValidatorSource {
  /** Expressions for the modules, by number. */
  readonly modules: string[] = [];
  readonly #numbers = new Map<unknown, number>();

  /**
   * Compiles schemas in text form with a new Ajv.
   *
   * @returns The number of the module of each schema.
   */
  add(shared: SharedSchemas, options: AjvOptions, contents: Iterable<string>): Map<string, number> {
    const engine = new AjvInstances(shared, options, { source: true, optimize: true });
    const numbers = new Map<string, number>();
    for (const content of contents) {
      const schema = JSON.parse(content) as AnySchemaObject | boolean;
      numbers.set(content, this.#numberOf(engine.compile(schema)));
    }
    return numbers;
  }

  #numberOf(compiled: ValidatorFunction | CompiledFunction): number {
    const existing = this.#numbers.get(compiled);
    if (existing !== undefined) return existing;
    // The number is set before the function is written, because recursive schemas refer to themselves.
    const number = this.modules.push('') - 1;
    this.#numbers.set(compiled, number);
    const { parts } = compiled as { parts?: ConversionParts };
    this.modules[number] =
      parts === undefined
        ? this.#write((compiled as CompiledFunction).source!)
        : this.#writeConversion(parts);
    return number;
  }

  #writeConversion({ convert, test, settings }: ConversionParts): string {
    const use = (each: unknown): string => `use(${this.#numberOf(each as CompiledFunction)})`;
    const tests = test === undefined ? 'undefined' : use(test);
    const parts = `{convert:${use(convert)},test:${tests},settings:${JSON.stringify(settings)}}`;
    return `(require,use)=>require(${JSON.stringify(conversionModule)}).convertWhereInvalid(${parts})`;
  }

  // Ajv's own `standaloneCode` would repeat in each function everything that it refers to.
  #write({ validateName, validateCode, scopeValues, evaluated }: Source): string {
    const words = new Set(validateCode.match(/\w+/g));
    const names = Object.values(scopeValues).flatMap((set) => [...(set ?? [])]);
    const constants = names.filter((name) => words.has(name.str)).map((name) => this.#writeConstant(name));
    // Ajv calls keywords as methods of the instance that compiled them.
    const instance = words.has('self') ? 'const self=undefined;\n' : '';
    const end = evaluated === undefined ? '' : `${validateName}.evaluated=${evaluated};\n`;
    return `(require,use)=>{\n${instance}${constants.join('')}${validateCode}\n${end}return ${validateName};}`;
  }

  #writeConstant({ str: name, prefix, value }: ScopeName): string {
    const { ref, code } = value!;
    // A function that was complete before this one.
    if (prefix === 'validate') return `const ${name}=use(${this.#numberOf(ref as CompiledFunction)});\n`;
    // A function that was still being compiled. It may refer back to this one, so it is linked at the first call.
    if (prefix === 'root' || prefix === 'wrapper') {
      const { validate } = ref as { validate: CompiledFunction };
      return `const ${name}={get validate(){return use(${this.#numberOf(validate)});}};\n`;
    }
    // Parsed at run time, because `__proto__` in a literal would set the prototype.
    if (prefix === 'schema') return `const ${name}=JSON.parse(${JSON.stringify(JSON.stringify(ref))});\n`;
    if (ref === validateFile) return `const ${name}=require(${JSON.stringify(fileModule)});\n`;
    if (code === undefined) throw new Error(`Ajv has no code for ${name}`);
    return `const ${name}=${code};\n`;
  }
}
