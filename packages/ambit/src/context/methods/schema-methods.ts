/** The methods of contexts for shared schemas and for compilers; the tables are in `schemas/schema-registry.ts`. */
import type { SchemaErrorFormatter, SerializerCompiler, ValidatorCompiler } from '../../contract/compiler.ts';
import type { SchemaControllerOptions } from '../../contract/compiler-options.ts';
import type { Context } from '../../contract/context.ts';
import { OptionInvalid } from '../../contract/errors.ts';
import { changeContext } from '../change-context.ts';
import { nodeOf } from '../context-node.ts';
import { checkFunction } from '../options/check-options.ts';
import { checkFormatter, checkSchemaController } from '../options/check-schema-options.ts';
import { type Definition, declareOnce, define } from '../recorded-definitions.ts';
import type { ContextMethods } from './context-methods.ts';

export const schemaMethods: ContextMethods = {
  addSchema(schema: unknown): object {
    return changeContext(this, 'addSchema', (node) => {
      const isSame = ({ kind, value }: Definition): boolean =>
        kind === 'schema' && Object(value).$id === Object(schema).$id;
      declareOnce(node, isSame, () => node.schemas.add(schema));
      define(node, 'schema', '', schema);
    });
  },

  getSchema(id: string): unknown {
    return nodeOf(this).schemas.get(id);
  },

  getSchemas(): Record<string, unknown> {
    return nodeOf(this).schemas.all();
  },

  setValidatorCompiler(compiler: ValidatorCompiler): object {
    return changeContext(this, 'setValidatorCompiler', (node) => {
      checkFunction(compiler, 'setValidatorCompiler');
      node.schemas.validatorCompiler = compiler;
      define(node, 'compiler', 'validatorCompiler', compiler);
    });
  },

  setSerializerCompiler(compiler: SerializerCompiler): object {
    return changeContext(this, 'setSerializerCompiler', (node) => {
      checkFunction(compiler, 'setSerializerCompiler');
      node.schemas.serializerCompiler = compiler;
      define(node, 'compiler', 'serializerCompiler', compiler);
    });
  },

  setSchemaErrorFormatter(formatter: SchemaErrorFormatter<Context>): object {
    return changeContext(this, 'setSchemaErrorFormatter', (node) => {
      checkFormatter(formatter);
      node.settings.formatProblems = formatter.bind(this);
      define(node, 'setting', 'schemaErrorFormatter', formatter);
    });
  },

  setSchemaController(options: SchemaControllerOptions): object {
    return changeContext(this, 'setSchemaController', (node) => {
      checkSchemaController(options, (problem) => OptionInvalid('setSchemaController', problem));
      if (options) node.schemas.setController(options);
      define(node, 'compiler', 'schemaController', options);
    });
  },

  setReplySerializer(serialize: (payload: never, status: number) => string): object {
    return changeContext(this, 'setReplySerializer', (node) => {
      if (serialize) checkFunction(serialize, 'setReplySerializer');
      node.settings.replySerializer = serialize || null;
      define(node, 'setting', 'replySerializer', serialize);
    });
  },

  get validatorCompiler(): ValidatorCompiler | undefined {
    return nodeOf(this).schemas.currentValidator;
  },

  get serializerCompiler(): SerializerCompiler | undefined {
    return nodeOf(this).schemas.currentSerializer;
  },
};
