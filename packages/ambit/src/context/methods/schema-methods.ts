/** The methods of contexts for shared schemas and for compilers; the tables are in `schemas/schema-registry.ts`. */
import type {
  SchemaControllerOptions,
  SchemaErrorFormatter,
  SerializerCompiler,
  ValidatorCompiler,
} from '../../types/compilers.ts';
import type { Context } from '../../types/context.ts';
import { OptionInvalid } from '../../types/errors.ts';
import { changeContext } from '../change-context.ts';
import { nodeOf } from '../context-node.ts';
import { checkFunction, passes } from '../options/check-options.ts';
import { checkFormatter, readSchemaController } from '../options/check-schema-options.ts';
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
      // With Fastify, only a route that needs the compiler fails.
      passes(node.app.compatibility, () => checkFunction(compiler, 'setValidatorCompiler'));
      node.schemas.validatorCompiler = compiler;
      define(node, 'compiler', 'validatorCompiler', compiler);
    });
  },

  setSerializerCompiler(compiler: SerializerCompiler): object {
    return changeContext(this, 'setSerializerCompiler', (node) => {
      passes(node.app.compatibility, () => checkFunction(compiler, 'setSerializerCompiler'));
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
      const makeError = (problem: string): Error => OptionInvalid('setSchemaController', problem);
      const controller = readSchemaController(options, makeError, node.app.compatibility);
      if (controller) node.schemas.setController(controller);
      define(node, 'compiler', 'schemaController', options);
    });
  },

  setReplySerializer(serialize: (payload: never, status: number) => string): object {
    return changeContext(this, 'setReplySerializer', (node) => {
      const { compatibility } = node.app;
      if (serialize && !passes(compatibility, () => checkFunction(serialize, 'setReplySerializer'))) return;
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
