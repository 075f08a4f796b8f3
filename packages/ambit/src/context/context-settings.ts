/** The methods of contexts that set something else: shared schemas and compilers, errors, logs, request ids and overload. */

import type { SchemaErrorFormatter } from '../types/compilers.ts';
import { OptionInvalid } from '../types/errors.ts';
import {
  type ContextNode,
  type ContextSettings,
  childLoggerFactoryOf,
  errorFormatOf,
} from './context-node.ts';
import { type ContextMethods, changeContext, type Definition, define, nodeOf } from './definitions.ts';
import { checkFormatter, checkFunction, passes } from './options/check-options.ts';
import { resolveOverload } from './options/limit-options.ts';
import { readSchemaController } from './options/resolve-options.ts';

export const settingMethods: ContextMethods = {
  addSchema(schema) {
    return changeContext(this, 'addSchema', (node) => {
      const isSame = ({ kind, value }: Definition): boolean =>
        kind === 'schema' && Object(value).$id === Object(schema).$id;
      define(node, 'schema', '', schema, () => node.schemas.add(schema), isSame);
    });
  },

  getSchema(id) {
    return nodeOf(this).schemas.get(id);
  },

  getSchemas() {
    return nodeOf(this).schemas.all();
  },

  setValidatorCompiler(compiler) {
    return setCompiler(this, 'setValidatorCompiler', 'validator', compiler);
  },

  get validatorCompiler() {
    return nodeOf(this).schemas.currentCompiler('validator');
  },

  setSerializerCompiler(compiler) {
    return setCompiler(this, 'setSerializerCompiler', 'serializer', compiler);
  },

  get serializerCompiler() {
    return nodeOf(this).schemas.currentCompiler('serializer');
  },

  setSchemaController(options) {
    return changeContext(this, 'setSchemaController', (node) => {
      const makeError = (problem: string): Error => OptionInvalid('setSchemaController', problem);
      const controller = readSchemaController(options, makeError, node.app.compatibility);
      if (controller) node.schemas.setController(controller);
      define(node, 'compiler', 'schemaController', options);
    });
  },

  setSchemaErrorFormatter(formatter) {
    const bind = (): SchemaErrorFormatter => {
      checkFormatter(formatter);
      return formatter.bind(this);
    };
    return set(this, 'formatProblems', formatter, bind, 'schemaErrorFormatter');
  },

  setReplySerializer(serialize) {
    return set(this, 'replySerializer', serialize, (call, node) =>
      !serialize ? null : isFunction(node, serialize, call) ? serialize : undefined,
    );
  },

  setErrorFormat(format) {
    return set(this, 'errorFormat', format, (call) => oneOf(['json', 'problem'], format, call));
  },

  get errorFormat() {
    return errorFormatOf(nodeOf(this));
  },

  setResponses(responses) {
    return set(this, 'responses', responses, (call) => oneOf(['declared', 'any'], responses, call));
  },

  setChildLoggerFactory(factory) {
    return set(this, 'childLoggerFactory', factory, (call, node) =>
      isFunction(node, factory, call) ? factory : undefined,
    );
  },

  get childLoggerFactory() {
    return childLoggerFactoryOf(nodeOf(this));
  },

  setGenReqId(generate) {
    const read = (call: string, node: ContextNode) => {
      if (!generate) return node.app.defaultRequestId;
      return isFunction(node, generate, call) ? generate : undefined;
    };
    return set(this, 'makeRequestId', generate, read, 'genReqId');
  },

  get genReqId() {
    const node = nodeOf(this);
    return node.setting('makeRequestId') ?? node.app.defaultRequestId;
  },

  setOverload(options) {
    return set(this, 'overload', options, (call) =>
      resolveOverload(options, (problem) => OptionInvalid(call, problem)),
    );
  },
};

function setCompiler(
  context: object,
  call: string,
  kind: 'validator' | 'serializer',
  compiler: unknown,
): object {
  return changeContext(context, call, (node) => {
    // With Fastify, only a route that needs the compiler fails.
    isFunction(node, compiler, call);
    node.schemas.setCompiler(kind, compiler as never);
    define(node, 'compiler', `${kind}Compiler`, compiler);
  });
}

/**
 * Sets one setting of a context, for the method `set…`.
 *
 * @param read Checks the value, and returns what is set; `undefined` if the value is ignored, as in Fastify.
 * @param name The name in the method, if that of the setting differs.
 */
function set<Name extends keyof ContextSettings>(
  context: object,
  setting: Name,
  value: unknown,
  read: (call: string, node: ContextNode) => ContextSettings[Name] | undefined,
  name: string = setting,
): object {
  const call = `set${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return changeContext(context, call, (node) => {
    const result = read(call, node);
    if (result === undefined) return;
    node.settings[setting] = result;
    define(node, 'setting', name, value);
  });
}

/** With Fastify, a value that is no function causes a warning only. */
function isFunction({ app }: ContextNode, value: unknown, call: string): boolean {
  return passes(app.compatibility, () => checkFunction(value, call));
}

function oneOf<Word>([first, second]: readonly [Word, Word], value: Word, call: string): Word {
  if (value === first || value === second) return value;
  const received = JSON.stringify(value) ?? typeof value;
  throw new OptionInvalid(call, `must be '${first}' or '${second}', instead got ${received}`);
}
