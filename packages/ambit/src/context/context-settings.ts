/** The methods of contexts that set something: decorators, errors, logs, body parsers, shared schemas and compilers. */

import type {
  SchemaControllerOptions,
  SchemaErrorFormatter,
  SerializerCompiler,
  ValidatorCompiler,
} from '../types/compilers.ts';
import type { Context } from '../types/context.ts';
import {
  DecoratorAfterStart,
  DecoratorUndeclared,
  OptionInvalid,
  ParserAfterStart,
} from '../types/errors.ts';
import type { ErrorHandler } from '../types/hooks.ts';
import type { DefinitionKind } from '../types/inspection.ts';
import type { ChildLoggerFactory } from '../types/logger.ts';
import type { ErrorFormat } from '../types/problem.ts';
import type { CollectedParser, PoisoningAction } from '../types/request.ts';
import type { AllowedResponses } from '../types/route-types.ts';
import type { ContextMethods } from './context.ts';
import {
  type ContextNode,
  changeContext,
  childLoggerFactoryOf,
  errorFormatOf,
  nodeOf,
} from './context-node.ts';
import { type DecoratorName, decorateContext, hasContextDecorator } from './decorators.ts';
import { type Definition, declareOnce, define } from './definitions.ts';
import { addErrorHandler, errorHandlerOf } from './error-handlers.ts';
import { checkFunction, passes } from './options/check-options.ts';
import { checkFormatter, readSchemaController } from './options/schema-options.ts';
import { addParser, asParser, makeJsonReader, readText, removeParser } from './parsers.ts';

const decoratorAfterStart = (name: string): Error => new DecoratorAfterStart(name);

export const decoratorMethods: ContextMethods = {
  decorate(name: DecoratorName, value?: unknown, dependencies?: unknown): object {
    return changeContext(
      this,
      String(name),
      (node) => {
        const { interceptors } = node.app;
        const intercepted = interceptors ? interceptors.decorate(name, value) : value;
        once(node, 'decorator', name, () => decorateContext(this, name, intercepted, dependencies));
        define(node, 'decorator', name, value);
      },
      decoratorAfterStart,
    );
  },

  decorateRequest(name: DecoratorName, value?: unknown, dependencies?: unknown): object {
    return changeContext(
      this,
      String(name),
      (node) => {
        once(node, 'requestDecorator', name, () => node.requestDecorators.add(name, value, dependencies));
        define(node, 'requestDecorator', name, value);
      },
      decoratorAfterStart,
    );
  },

  decorateReply(name: DecoratorName, value?: unknown, dependencies?: unknown): object {
    return changeContext(
      this,
      String(name),
      (node) => {
        once(node, 'replyDecorator', name, () => node.replyDecorators.add(name, value, dependencies));
        define(node, 'replyDecorator', name, value);
      },
      decoratorAfterStart,
    );
  },

  hasDecorator(name: DecoratorName): boolean {
    return hasContextDecorator(this, name);
  },

  hasRequestDecorator(name: DecoratorName): boolean {
    return nodeOf(this).requestDecorators.has(name);
  },

  hasReplyDecorator(name: DecoratorName): boolean {
    return nodeOf(this).replyDecorators.has(name);
  },

  getDecorator(name: DecoratorName): unknown {
    if (!(name in this))
      throw nodeOf(this).app.translateError(new DecoratorUndeclared(String(name), 'instance'));
    const value = (this as unknown as Record<DecoratorName, unknown>)[name];
    return typeof value === 'function' ? value.bind(this) : value;
  },
};

function once(node: ContextNode, kind: DefinitionKind, name: DecoratorName, decorate: () => void): void {
  declareOnce(node, (definition) => definition.kind === kind && definition.name === name, decorate);
}

/** The methods of contexts for errors, logs and the ids of requests. */
export const errorMethods: ContextMethods = {
  setErrorHandler(handler: ErrorHandler): object {
    return changeContext(this, 'setErrorHandler', (node) => addErrorHandler(node, handler));
  },

  get errorHandler(): ErrorHandler {
    return errorHandlerOf(nodeOf(this));
  },

  setErrorFormat(format: ErrorFormat): object {
    return changeContext(this, 'setErrorFormat', (node) => {
      checkErrorFormat(format);
      node.settings.errorFormat = format;
      define(node, 'setting', 'errorFormat', format);
    });
  },

  get errorFormat(): ErrorFormat {
    return errorFormatOf(nodeOf(this));
  },

  setResponses(responses: AllowedResponses): object {
    return changeContext(this, 'setResponses', (node) => {
      checkResponses(responses);
      node.settings.responses = responses;
      define(node, 'setting', 'responses', responses);
    });
  },

  setChildLoggerFactory(factory: ChildLoggerFactory<Context>): object {
    return changeContext(this, 'setChildLoggerFactory', (node) => {
      if (!passes(node.app.compatibility, () => checkFunction(factory, 'setChildLoggerFactory'))) return;
      node.settings.childLoggerFactory = factory;
      define(node, 'setting', 'childLoggerFactory', factory);
    });
  },

  get childLoggerFactory(): ChildLoggerFactory<Context> {
    return childLoggerFactoryOf(nodeOf(this));
  },

  setGenReqId(generate: (rawRequest: never) => string): object {
    return changeContext(this, 'setGenReqId', (node) => {
      if (generate && !passes(node.app.compatibility, () => checkFunction(generate, 'setGenReqId'))) return;
      node.settings.makeRequestId = generate || node.app.defaultRequestId;
      define(node, 'setting', 'genReqId', generate);
    });
  },

  get genReqId(): (rawRequest: never) => string {
    const node = nodeOf(this);
    return node.setting('makeRequestId') ?? node.app.defaultRequestId;
  },
};

function checkResponses(responses: unknown): void {
  if (responses === 'declared' || responses === 'any') return;
  const received = JSON.stringify(responses) ?? typeof responses;
  throw new OptionInvalid('setResponses', `must be 'declared' or 'any', instead got ${received}`);
}

function checkErrorFormat(format: unknown): void {
  if (format === 'json' || format === 'problem') return;
  const received = JSON.stringify(format) ?? typeof format;
  throw new OptionInvalid('setErrorFormat', `must be 'json' or 'problem', instead got ${received}`);
}

const defaultTextParser: CollectedParser<string> = asParser(readText);

const parserAfterStart = (call: string): Error => new ParserAfterStart(call);

export const parserMethods: ContextMethods = {
  addContentTypeParser(mediaTypes: unknown, optionsOrParser: unknown, parser?: unknown): object {
    const add = (node: ContextNode): void => addParser(node, mediaTypes, optionsOrParser, parser);
    return changeContext(this, 'addContentTypeParser', add, parserAfterStart);
  },

  hasContentTypeParser(mediaType: string | RegExp): boolean {
    return nodeOf(this).parsers.has(mediaType);
  },

  removeContentTypeParser(mediaTypes: string | RegExp | (string | RegExp)[]): void {
    changeContext(
      this,
      'removeContentTypeParser',
      (node) => removeParser(node, mediaTypes),
      parserAfterStart,
    );
  },

  removeAllContentTypeParsers(): void {
    const removeAll = (node: ContextNode): void => {
      node.parsers.removeAll();
      define(node, 'removedParser', 'all', undefined);
    };
    changeContext(this, 'removeAllContentTypeParsers', removeAll, parserAfterStart);
  },

  getDefaultJsonParser(onProto: PoisoningAction, onConstructor: PoisoningAction): CollectedParser<string> {
    return asParser(makeJsonReader(onProto, onConstructor));
  },

  get defaultTextParser(): CollectedParser<string> {
    return defaultTextParser;
  },
};

/** The methods of contexts for shared schemas and for compilers. */
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
