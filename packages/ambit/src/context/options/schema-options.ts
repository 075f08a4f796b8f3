/** Checks the options about schemas: those of the engines, of the schema controller, and the error formatter. */
import { nearestName } from '../../shared/nearest-name.ts';
import { isAsyncFunction, isPlainObject } from '../../shared/values.ts';
import type { AjvOptions, SchemaControllerOptions } from '../../types/compilers.ts';
import {
  AjvOptionsNotObject,
  AjvPluginsNotArray,
  OptionsInvalid,
  SchemaBucketNotFunction,
  SchemaErrorFormatterNotFunction,
  UnknownOption,
} from '../../types/errors.ts';
import type { AmbitOptions } from '../../types/options.ts';
import { warnSerializerAjvOptions } from '../../types/warnings.ts';
import {
  type Checks,
  checkNames,
  checkTypes,
  type MakeError,
  type OptionTypes,
  objectOrFalse,
  reportMistake,
} from './check-options.ts';

const ajvNames = ['customOptions', 'plugins', 'onCreate', 'mode', 'dialect'];
const ajvTypes: OptionTypes = { onCreate: ['function'], mode: ['string'] };
const dialects: OptionTypes = { dialect: ["'draft-07'", "'2020-12'"] };
const serializerTypes: OptionTypes = { rounding: ["'ceil'", "'floor'", "'round'", "'trunc'"] };
/** Options of Ajv that can change which branch of `oneOf`, `anyOf` or `if` a value matches. */
const branchingAjvNames = ['coerceTypes', 'formats', 'keywords', 'removeAdditional', 'useDefaults'];
const controllerNames = ['bucket', 'compilersFactory'];
const controllerTypes: OptionTypes = { compilersFactory: objectOrFalse };
const factoryTypes: OptionTypes = { buildValidator: ['function'], buildSerializer: ['function'] };

export function resolveAjv({ ajv, schemaController }: AmbitOptions, checks: Checks): AjvOptions {
  const { customOptions = {}, plugins = [], ...rest } = ajv ?? {};
  if (!isPlainObject(customOptions)) throw new AjvOptionsNotObject(typeof customOptions);
  if (!Array.isArray(plugins)) throw new AjvPluginsNotArray(typeof plugins);
  // Another engine has options of its own.
  if (!schemaController?.compilersFactory?.buildValidator) {
    checkNames(rest, ajvNames, 'ajv', checks);
    checkTypes(rest, ajvTypes, OptionsInvalid, checks);
    checkTypes(rest, dialects, (problem) => OptionsInvalid(`ajv.${problem}`));
    if (rest.mode === 'JTD' && rest.dialect)
      throw new OptionsInvalid("ajv.dialect is for JSON Schema, but ajv.mode is 'JTD'");
  }
  return { ...rest, customOptions, plugins };
}

/**
 * Our engine reads only `rounding`. Other names are accepted, because applications set options of fast-json-stringify: most of them
 * tune it, and the output is the same without them.
 */
export function checkSerializerOptions(
  { serializerOpts, schemaController }: AmbitOptions,
  checks: Checks,
): void {
  // Another engine has options of its own.
  if (serializerOpts === undefined || schemaController?.compilersFactory?.buildSerializer) return;
  checkTypes(
    serializerOpts,
    serializerTypes,
    (problem) => OptionsInvalid(`serializerOpts.${problem}`),
    checks,
  );
  for (const name of Object.keys(serializerOpts)) {
    const nearest = nearestName(name, Object.keys(serializerTypes));
    if (nearest !== undefined && nearest !== name)
      reportMistake(checks, new UnknownOption(name, 'serializerOpts', nearest));
  }
  const ajv = Object(serializerOpts.ajv) as Readonly<Record<string, unknown>>;
  const branchingNames = branchingAjvNames.filter((name) => ajv[name]);
  if (branchingNames.length > 0) warnSerializerAjvOptions(branchingNames.join(', '));
}

/** @returns A copy without what is ignored; `undefined` if none is set. */
export function readSchemaController(
  userController: unknown,
  makeError: MakeError,
  checks: Checks,
): SchemaControllerOptions | undefined {
  const given = { schemaController: userController };
  checkTypes(given, { schemaController: objectOrFalse }, makeError, checks);
  if (!given.schemaController) return undefined;
  const controller: SchemaControllerOptions = { ...given.schemaController };
  checkNames(controller, controllerNames, 'schemaController', checks);
  checkTypes(controller, controllerTypes, makeError, checks);
  const { bucket } = controller as { bucket?: unknown };
  if (bucket && typeof bucket !== 'function') throw new SchemaBucketNotFunction(typeof bucket);
  if (controller.compilersFactory) {
    const factory = { ...controller.compilersFactory };
    checkNames(factory, Object.keys(factoryTypes), 'schemaController.compilersFactory', checks);
    checkTypes(factory, factoryTypes, makeError, checks);
    controller.compilersFactory = factory;
  }
  return controller;
}

/** A formatter must return its error synchronously, because nothing would wait for a promise. */
export function checkFormatter(formatter: unknown): void {
  if (typeof formatter !== 'function') throw new SchemaErrorFormatterNotFunction(typeof formatter);
  if (isAsyncFunction(formatter)) throw new SchemaErrorFormatterNotFunction('AsyncFunction');
}
