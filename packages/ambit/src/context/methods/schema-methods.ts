/** The methods of contexts for shared schemas and for compilers; the tables are in `schemas/schema-registry.ts`. */
import type {
  SchemaControllerOptions,
  SchemaErrorFormatter,
  SerializerCompiler,
  ValidatorCompiler,
} from '../../contract/compiler.ts';
import type { Context } from '../../contract/context.ts';
import { OptionInvalid } from '../../contract/errors.ts';
import { changeContext } from '../change-context.ts';
import { checkFunction } from '../check-options.ts';
import { checkFormatter, checkSchemaController } from '../check-schema-options.ts';
import { nodeOf } from '../context-node.ts';
import type { ContextMethods } from './context-methods.ts';

export const schemaMethods: ContextMethods = {
  addSchema(schema: unknown): object {
    return changeContext(this, 'addSchema', ({ schemas }) => schemas.add(schema));
  },

  getSchema(id: string): unknown {
    return nodeOf(this).schemas.get(id);
  },

  getSchemas(): Record<string, unknown> {
    return nodeOf(this).schemas.all();
  },

  setValidatorCompiler(compiler: ValidatorCompiler): object {
    return changeContext(this, 'setValidatorCompiler', ({ schemas }) => {
      checkFunction(compiler, 'setValidatorCompiler');
      schemas.validatorCompiler = compiler;
    });
  },

  setSerializerCompiler(compiler: SerializerCompiler): object {
    return changeContext(this, 'setSerializerCompiler', ({ schemas }) => {
      checkFunction(compiler, 'setSerializerCompiler');
      schemas.serializerCompiler = compiler;
    });
  },

  setSchemaErrorFormatter(formatter: SchemaErrorFormatter<Context>): object {
    return changeContext(this, 'setSchemaErrorFormatter', ({ settings }) => {
      checkFormatter(formatter);
      settings.formatProblems = formatter.bind(this);
    });
  },

  setSchemaController(options: SchemaControllerOptions): object {
    return changeContext(this, 'setSchemaController', ({ schemas }) => {
      checkSchemaController(options, (problem) => OptionInvalid('setSchemaController', problem));
      if (options) schemas.setController(options);
    });
  },

  setReplySerializer(serialize: (payload: never, status: number) => string): object {
    return changeContext(this, 'setReplySerializer', ({ settings }) => {
      if (serialize) checkFunction(serialize, 'setReplySerializer');
      settings.replySerializer = serialize || undefined;
    });
  },

  get validatorCompiler(): ValidatorCompiler | undefined {
    return nodeOf(this).schemas.knownValidator;
  },

  get serializerCompiler(): SerializerCompiler | undefined {
    return nodeOf(this).schemas.knownSerializer;
  },
};
