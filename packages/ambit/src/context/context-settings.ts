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
import type { ErrorFormat } from '../types/problems.ts';
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

export const settingMethods: ContextMethods = {
  decorate(name: DecoratorName, value?: unknown, dependencies?: unknown): object {
    return decorate(this, 'decorator', name, value, ({ app }) => {
      const { interceptors } = app.flavor;
      const intercepted = interceptors ? interceptors.decorate(name, value) : value;
      decorateContext(this, name, intercepted, dependencies);
    });
  },

  decorateRequest(name: DecoratorName, value?: unknown, dependencies?: unknown): object {
    return decorate(this, 'requestDecorator', name, value, ({ requestDecorators }) =>
      requestDecorators.add(name, value, dependencies),
    );
  },

  decorateReply(name: DecoratorName, value?: unknown, dependencies?: unknown): object {
    return decorate(this, 'replyDecorator', name, value, ({ replyDecorators }) =>
      replyDecorators.add(name, value, dependencies),
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

  setErrorHandler(handler: ErrorHandler): object {
    return changeContext(this, 'setErrorHandler', (node) => addErrorHandler(node, handler));
  },

  get errorHandler(): ErrorHandler {
    return errorHandlerOf(nodeOf(this));
  },

  setErrorFormat(format: ErrorFormat): object {
    return changeContext(this, 'setErrorFormat', (node) => {
      checkWord('setErrorFormat', format, ['json', 'problem']);
      node.settings.errorFormat = format;
      define(node, 'setting', 'errorFormat', format);
    });
  },

  get errorFormat(): ErrorFormat {
    return errorFormatOf(nodeOf(this));
  },

  setResponses(responses: AllowedResponses): object {
    return changeContext(this, 'setResponses', (node) => {
      checkWord('setResponses', responses, ['declared', 'any']);
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

  addContentTypeParser(mediaTypes: unknown, optionsOrParser: unknown, parser?: unknown): object {
    return changeParsers(this, 'addContentTypeParser', (node) =>
      addParser(node, mediaTypes, optionsOrParser, parser),
    );
  },

  hasContentTypeParser(mediaType: string | RegExp): boolean {
    return nodeOf(this).parsers.has(mediaType);
  },

  removeContentTypeParser(mediaTypes: string | RegExp | (string | RegExp)[]): void {
    changeParsers(this, 'removeContentTypeParser', (node) => removeParser(node, mediaTypes));
  },

  removeAllContentTypeParsers(): void {
    changeParsers(this, 'removeAllContentTypeParsers', (node) => {
      node.parsers.removeAll();
      define(node, 'removedParser', 'all', undefined);
    });
  },

  getDefaultJsonParser(onProto: PoisoningAction, onConstructor: PoisoningAction): CollectedParser<string> {
    return asParser(makeJsonReader(onProto, onConstructor));
  },

  get defaultTextParser(): CollectedParser<string> {
    return defaultTextParser;
  },

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

function decorate(
  context: object,
  kind: DefinitionKind,
  name: DecoratorName,
  value: unknown,
  add: (node: ContextNode) => void,
): object {
  const change = (node: ContextNode): void => {
    declareOnce(
      node,
      (known) => known.kind === kind && known.name === name,
      () => add(node),
    );
    define(node, kind, name, value);
  };
  return changeContext(context, String(name), change, (call) => new DecoratorAfterStart(call));
}

function checkWord(setter: string, value: unknown, [first, second]: readonly [string, string]): void {
  if (value === first || value === second) return;
  const received = JSON.stringify(value) ?? typeof value;
  throw new OptionInvalid(setter, `must be '${first}' or '${second}', instead got ${received}`);
}

function changeParsers(context: object, call: string, change: (node: ContextNode) => void): object {
  return changeContext(context, call, change, (call) => new ParserAfterStart(call));
}

const defaultTextParser = asParser(readText);
