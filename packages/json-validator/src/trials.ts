/**
 * Writes the code of the keywords that try schemas on a value. Ajv converts the value, and removes properties, while it tries, also for a
 * schema that then does not match. Here, each schema is tried on a copy. A value that fits a keyword as it came stays as it is.
 */
import {
  _,
  type Ajv,
  type AnySchemaObject,
  type Code,
  type KeywordCxt,
  Name,
  type SchemaCxt,
  type SchemaObjCxt,
} from 'ajv';
import { replaceCode } from './ajv-keywords.ts';
import { conversionModule, copyValue, keepsNames, someMember } from './conversion.ts';

type Subschema = Parameters<KeywordCxt['subschema']>[0];

/** How an Ajv that converts tries schemas. */
interface TrialOptions {
  /** Whether values are text without types: they are converted first. Otherwise a value that is valid as it came stays. */
  readonly isText: boolean;
  /** Whether keywords may have side effects, so that they only run on copies. */
  readonly hasEffects: boolean;
  /** Returns an Ajv that does not convert, and its environment of a document that the Ajv that converts compiles. */
  readonly testOf: (document: AnySchemaObject) => Pick<SchemaObjCxt, 'self' | 'schemaEnv'>;
}

/** Makes an Ajv that converts leave a value as it was when a schema that it tries does not match. */
export function writeTrials(engine: Ajv, options: TrialOptions): void {
  hideCopies(engine);
  for (const keyword of ['not', 'propertyNames', 'anyOf', 'oneOf', 'if', 'contains'] as const) {
    replaceCode(engine, keyword, (context, write) => {
      // With `discriminator`, Ajv runs only the branch that applies.
      const isChosen =
        keyword === 'oneOf' && context.it.opts.discriminator && context.parentSchema.discriminator;
      const test = !isChosen && mayChange(context.schema) ? testContext(context.it, options) : undefined;
      if (test === undefined) return write();
      // The keys of an object, and what must not match, are never converted.
      if (keyword === 'not' || keyword === 'propertyNames') return within(context, test, write);
      const trial = new Trial(context, test, options);
      try {
        if (keyword === 'anyOf') trial.writeAnyOf();
        else if (keyword === 'oneOf') trial.writeOneOf();
        else trial.writeAround(write);
      } catch (error) {
        if (error instanceof Error) error.message = withoutCopies(error.message);
        throw error;
      }
    });
  }
}

/** The keywords by which Ajv converts a value, adds to it or removes from it. The others belong to plugins. */
const changingKeywords: ReadonlySet<string> = new Set([
  'type',
  'additionalProperties',
  'default',
  '$ref',
  '$dynamicRef',
]);

/** Whether a schema, or one inside it, may change the value. */
function mayChange(schema: unknown): boolean {
  return someMember(schema, (name) => changingKeywords.has(name));
}

/** Ajv's messages name the variable that holds the value. For a copy, they get the name of what was copied, as without trials. */
function hideCopies(engine: Ajv): void {
  const { logger } = engine;
  engine.logger = {
    log: (...parts) => logger.log(...parts),
    warn: (...parts) =>
      logger.warn(...parts.map((part) => (typeof part === 'string' ? withoutCopies(part) : part))),
    error: (...parts) => logger.error(...parts),
  };
}

const copyName = /_tried\d+/g;

function withoutCopies(message: string): string {
  return message.replace(copyName, '');
}

/**
 * The context in which the Ajv that does not convert writes its code into the same function; `undefined` if it need not, or
 * cannot: dynamic references lead to functions that convert.
 */
function testContext(it: SchemaObjCxt, { testOf }: TrialOptions): SchemaObjCxt | undefined {
  const { root, $async } = it.schemaEnv;
  // Ajv does not convert what it validates with meta-schemas.
  if (!it.opts.coerceTypes && !it.opts.removeAdditional && !it.opts.useDefaults) return undefined;
  if ($async === true || hasDynamicReferences(root.schema)) return undefined;
  const { self, schemaEnv } = testOf(root.schema as AnySchemaObject);
  // A copy of the environment: a reference to the root itself would lead to the function that is being written.
  return { ...it, self, opts: self.opts, schemaEnv: { ...schemaEnv, root: schemaEnv.root } };
}

const dynamicDocuments = new WeakMap<object, boolean>();

/** Whether a document has references whose target depends on where the reference is. */
function hasDynamicReferences(document: unknown): boolean {
  if (typeof document !== 'object' || document === null) return false;
  let result = dynamicDocuments.get(document);
  if (result === undefined) {
    result = someMember(document, (name) => name.startsWith('$dynamic'));
    dynamicDocuments.set(document, result);
  }
  return result;
}

/** Lets a keyword write its code in another context. */
function within<Result>(context: KeywordCxt, it: SchemaObjCxt, write: () => Result): Result {
  const outer = context.it;
  Object.assign(context, { it });
  const result = write();
  Object.assign(context, { it: outer });
  return result;
}

/** What belongs to a keyword. */
const companions: Readonly<Record<string, readonly string[]>> = {
  if: ['then', 'else'],
  contains: ['minContains', 'maxContains'],
};

/** The code of one keyword that tries schemas. */
class Trial {
  readonly #context: KeywordCxt;
  /** Writes the code of a subschema, in the context of the keyword. */
  readonly #write: KeywordCxt['subschema'];
  readonly #test: SchemaObjCxt;
  readonly #hasEffects: boolean;
  readonly #copy: Name;
  /** Whether the value fits the keyword as it came; `undefined` for text. */
  readonly #fits: Name | undefined;

  constructor(context: KeywordCxt, test: SchemaObjCxt, { isText, hasEffects }: TrialOptions) {
    this.#context = context;
    this.#write = context.subschema.bind(context);
    this.#test = test;
    this.#hasEffects = hasEffects;
    this.#copy = this.#nameOf(copyValue);
    this.#fits = isText ? undefined : this.#writeFits(context.data);
  }

  /** Lets Ajv write its own code, with each trial on a copy. */
  writeAround(write: () => void): void {
    const context = this.#context;
    context.subschema = (part, valid) =>
      part.keyword === context.keyword ? this.#try(part, valid) : this.#write(part, valid);
    write();
  }

  /** The first branch that matches wins. */
  writeAnyOf(): void {
    const context = this.#context;
    const { gen, schema, it } = context;
    const valid = gen.let('valid', false);
    const isValid = gen.name('_valid');
    // What valid branches have evaluated counts for `unevaluatedProperties`, so all that fit are run.
    const isTracked = it.opts.unevaluated === true && this.#fits !== undefined;
    for (let at = 0; at < schema.length; at++) {
      gen.if(isTracked ? _`!${valid} || ${this.#fits}` : _`!${valid}`, () => {
        const branch = this.#try(this.#branch(at), isValid);
        gen.if(isValid, () => {
          gen.assign(valid, true);
          context.mergeEvaluated(branch, Name);
        });
      });
    }
    this.#writeResult(valid);
  }

  /**
   * The first branch that matches wins, if no other branch matches, too: the others are tried on what the first one has made. They do not
   * count if the first one would not accept what they make.
   */
  writeOneOf(): void {
    const context = this.#context;
    const { gen, schema, data } = context;
    const valid = gen.let('valid', false);
    const passing = gen.let('passing', null);
    const isValid = gen.name('_valid');
    const others = gen.const('others', _`[]`);
    const rounds = gen.const('rounds', this.#fits === undefined ? 2 : _`${this.#fits} ? 1 : 2`);
    context.setParams({ passing });
    gen.forRange('round', 0, rounds, (round) => {
      for (let at = 0; at < schema.length; at++) {
        gen.if(_`${round} === 0 ? !${valid} : ${valid} && ${passing} !== ${at}`, () => {
          const result = gen.let('result');
          const branch = this.#try(this.#branch(at), isValid, result);
          gen.if(_`${isValid} && ${round} === 0`, () => {
            gen.assign(valid, true).assign(passing, at);
            this.#replaceData(result);
            context.mergeEvaluated(branch, Name);
          });
          gen.if(_`${isValid} && ${round} === 1`, _`${others}.push([${at}, ${result}])`);
        });
      }
    });
    const keeps = this.#nameOf(keepsNames);
    gen.forOf('other', others, (other) => {
      const changed = gen.let('changed', _`${other}[1]`);
      gen.if(_`${keeps}(${data}, ${changed})`, () => {
        gen.if(_`!${this.#writeFits(changed)}`, () => {
          gen.assign(valid, false).assign(passing, _`[${passing}, ${other}[0]]`).break();
        });
      });
    });
    this.#writeResult(valid);
  }

  #writeResult(valid: Name): void {
    const context = this.#context;
    context.result(
      valid,
      () => context.reset(),
      () => context.error(true),
    );
  }

  #branch(at: number): Subschema {
    return { keyword: this.#context.keyword, schemaProp: at, compositeRule: true };
  }

  /** Writes whether data fits the keyword, and what belongs to it, without conversion. */
  #writeFits(data: Name): Name {
    const { gen, it, keyword, parentSchema } = this.#context;
    const names = [keyword, ...(companions[keyword] ?? [])].filter((name) => name in parentSchema);
    const schema = Object.fromEntries(names.map((name) => [name, parentSchema[name]]));
    const { topSchemaRef, schemaPath, errSchemaPath } = it;
    const fits = gen.let('fits');
    this.#testOn({ schema, topSchemaRef, schemaPath, errSchemaPath, compositeRule: true }, fits, data);
    return fits;
  }

  /** Writes the test of a schema without conversion and without errors, and assigns the result. */
  #testOn(part: Subschema, result: Name, data: Name): void {
    const { gen } = this.#context;
    const isValid = gen.name('_valid');
    const value = this.#hasEffects ? _`${this.#copy}(${data})` : data;
    gen.block(() => {
      const count = gen.const('_errs', _`errors`);
      this.#run({ ...part, createErrors: false, allErrors: false }, isValid, this.#test, value, data);
      gen.assign(result, isValid);
      gen.if(
        _`errors > ${count}`,
        _`errors = ${count}; if (${count} > 0) vErrors.length = ${count}; else vErrors = null;`,
      );
    });
  }

  /**
   * Writes the trial of a schema. If the value fits the keyword as it came, only a schema that accepts it as it came matches.
   *
   * @param result Gets the value that the schema has made. Without it, this value replaces the data.
   */
  #try(part: Subschema, valid: Name, result?: Name): SchemaCxt {
    const { gen, data, it } = this.#context;
    const item = part.dataProp === undefined ? data : gen.const('item', _`${data}[${part.dataProp}]`);
    const fits = this.#fits;
    const isRun = gen.let('isRun', true);
    if (fits !== undefined) {
      gen.if(fits, () => this.#testOn(part, isRun, item));
    }
    gen.var(valid, false);
    let tried: SchemaCxt = it;
    gen.if(isRun, () => {
      const copied = _`${this.#copy}(${item})`;
      const run = this.#run(
        part,
        valid,
        it,
        fits === undefined ? copied : _`${fits} ? ${item} : ${copied}`,
        item,
      );
      tried = run.it;
      gen.if(valid, () => {
        if (result !== undefined) gen.assign(result, run.value);
        else if (part.dataProp === undefined) this.#replaceData(run.value);
        else gen.assign(_`${data}[${part.dataProp}]`, run.value);
      });
    });
    return tried;
  }

  /** Writes the code of a subschema for another value in place of the data or of one of its items. */
  #run(
    part: Subschema,
    valid: Name,
    it: SchemaObjCxt,
    value: Code,
    data: Name,
  ): { it: SchemaCxt; value: Code } {
    const { gen } = this.#context;
    const isItem = part.dataProp !== undefined;
    if (value === data) {
      const place = isItem ? it : { ...it, data };
      return { it: within(this.#context, place, () => this.#write(part, valid)), value };
    }
    const tried = gen.let(`${withoutCopies(String(data))}_tried`, value);
    const holder = gen.const('holder', isItem ? _`{[${part.dataProp}]: ${tried}}` : _`{value: ${tried}}`);
    const place = isItem
      ? { data: holder }
      : {
          data: tried,
          parentData: holder,
          parentDataProperty: _`"value"`,
          dataNames: [...it.dataNames.slice(0, -1), tried],
        };
    const inner = within(this.#context, { ...it, ...place }, () => this.#write(part, valid));
    return { it: inner, value: isItem ? _`${holder}[${part.dataProp}]` : _`${holder}.value` };
  }

  #replaceData(value: Code): void {
    const { gen, data, it } = this.#context;
    gen.if(_`${data} !== ${value}`, () => {
      gen.assign(data, value);
      gen.if(_`${it.parentData} !== undefined`, _`${it.parentData}[${it.parentDataProperty}] = ${value}`);
    });
  }

  #nameOf(run: typeof copyValue | typeof keepsNames): Name {
    return this.#context.gen.scopeValue('func', {
      ref: run,
      code: _`require(${conversionModule})[${run.name}]`,
    });
  }
}
