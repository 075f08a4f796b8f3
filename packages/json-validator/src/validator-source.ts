/**
 * Validators as code: written where a build compiles schemas, and linked where they run, without Ajv and without generating code.
 */
import { createRequire } from 'node:module';
import type { Ajv, AnySchemaObject } from 'ajv';
import {
  type ConversionParts,
  conversionModule,
  convertWhereInvalid,
  copyValue,
  keepsNames,
} from './conversion.ts';
import { requirePackage } from './engine-packages.ts';
import type { SharedSchemas, Validator, ValidatorOptions } from './options.ts';

const require = createRequire(import.meta.url);

/** A function that a build wrote. At its first use, it is linked: to packages by name, and to other modules by number. */
export type CompiledModule = (
  require: (name: string) => unknown,
  use: (number: number) => unknown,
) => unknown;

/** Functions of the caller's own keywords, by the names under which written code loads them. */
export type Externals = Readonly<Record<string, unknown>>;

const conversion = { convertWhereInvalid, copyValue, keepsNames };

/** The compiled functions of a build, each linked once. */
export class LinkedModules {
  readonly #modules: readonly CompiledModule[];
  readonly #externals: Externals;
  readonly #linked: unknown[] = [];

  /**
   * @param modules The functions, by their numbers.
   * @param externals Functions of the caller's own keywords.
   */
  constructor(modules: readonly CompiledModule[], externals: Externals = {}) {
    this.#modules = modules;
    this.#externals = externals;
  }

  /** Returns a validator. @param number The number of its function. */
  link(number: number): Validator {
    this.#linked[number] ??= this.#modules[number]!(
      (name) => this.#require(name),
      (other) => this.link(other),
    );
    return this.#linked[number] as Validator;
  }

  #require(name: string): unknown {
    if (Object.hasOwn(this.#externals, name)) return this.#externals[name];
    return name === conversionModule ? conversion : requirePackage(name);
  }
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
  readonly #externals: Externals;

  /** @param externals Functions of the caller's own keywords. */
  constructor(externals: Externals = {}) {
    this.#externals = externals;
  }

  /**
   * Compiles schemas in text form with a new Ajv.
   *
   * @param shared The schemas that they may refer to, by `$id`.
   * @param options What Ajv does.
   * @param contents The schemas.
   * @returns The number of the module of each schema.
   */
  add(shared: SharedSchemas, options: ValidatorOptions, contents: Iterable<string>): Map<string, number> {
    const { AjvCompiler } = require('./ajv-compiler.ts') as typeof import('./ajv-compiler.ts');
    const compiler = new AjvCompiler(shared, options, { source: true, optimize: true });
    const numbers = new Map<string, number>();
    for (const content of contents) {
      const schema = JSON.parse(content) as AnySchemaObject | boolean;
      numbers.set(content, this.#numberOf(compiler.compile(schema)));
    }
    return numbers;
  }

  #numberOf(compiled: Validator | CompiledFunction): number {
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
    const external = Object.keys(this.#externals).find((each) => this.#externals[each] === ref);
    if (external !== undefined) return `const ${name}=require(${JSON.stringify(external)});\n`;
    if (code === undefined) throw new Error(`Ajv has no code for ${name}`);
    return `const ${name}=${code};\n`;
  }
}
