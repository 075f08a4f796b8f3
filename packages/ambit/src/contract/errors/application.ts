/** The errors of options of applications, routes and setters. */

import type { ErrorClass } from '../../shared/coded-error.ts';
import { defineError } from '../../shared/define-error.ts';

/** The options are not an object. */
export const OptionsNotObject: ErrorClass<[]> = defineError({
  code: 'FST_ERR_OPTIONS_NOT_OBJ',
  message: 'Options must be an object',
  base: TypeError,
});
/** `querystringParser` is not a function. */
export const QuerystringParserNotFunction: ErrorClass<[received: string]> = defineError({
  code: 'FST_ERR_QSP_NOT_FN',
  message: "querystringParser option should be a function, instead got '%s'",
  base: TypeError,
});
/** `schemaController.bucket` is not a function. */
export const SchemaBucketNotFunction: ErrorClass<[received: string]> = defineError({
  code: 'FST_ERR_SCHEMA_CONTROLLER_BUCKET_OPT_NOT_FN',
  message: "schemaController.bucket option should be a function, instead got '%s'",
  base: TypeError,
});
/** The schema error formatter is not a function, or is async. */
export const SchemaErrorFormatterNotFunction: ErrorClass<[received: string]> = defineError({
  code: 'FST_ERR_SCHEMA_ERROR_FORMATTER_NOT_FN',
  message: "schemaErrorFormatter option should be a non async function. Instead got '%s'.",
  base: TypeError,
});
/** `ajv.customOptions` is not an object. */
export const AjvOptionsNotObject: ErrorClass<[received: string]> = defineError({
  code: 'FST_ERR_AJV_CUSTOM_OPTIONS_OPT_NOT_OBJ',
  message: "ajv.customOptions option should be an object, instead got '%s'",
  base: TypeError,
});
/** `ajv.plugins` is not an array. */
export const AjvPluginsNotArray: ErrorClass<[received: string]> = defineError({
  code: 'FST_ERR_AJV_CUSTOM_OPTIONS_OPT_NOT_ARR',
  message: "ajv.plugins option should be an array, instead got '%s'",
  base: TypeError,
});
/** An option has an invalid value. */
export const OptionsInvalid: ErrorClass<[problems: string]> = defineError({
  code: 'FST_ERR_INIT_OPTS_INVALID',
  message: "Invalid initialization options: '%s'",
});
/** The server of your `serverFactory` cannot close idle connections. */
export const ForceCloseIdleUnavailable: ErrorClass<[]> = defineError({
  code: 'FST_ERR_FORCE_CLOSE_CONNECTIONS_IDLE_NOT_AVAILABLE',
  message:
    "Cannot set forceCloseConnections to 'idle' as your HTTP server does not support closeIdleConnections method",
});
/** A value of a route, of `register` or of a setter; the factory and `listen` have codes of their own. */
export const OptionInvalid: ErrorClass<[owner: string, problem: string]> = defineError({
  code: 'AMBIT_ERR_OPTION_INVALID',
  message: '%s: %s',
  base: TypeError,
});
/**
 * The option does not exist. For a route, a part of its schema, `register`, `logger`, `addContentTypeParser` and `hoist`: the option looks
 * misspelt. The message suggests the nearest name.
 */
export const UnknownOption: ErrorClass<[option: string, owner: string, nearest: string | undefined]> =
  defineError({
    code: 'AMBIT_ERR_UNKNOWN_OPTION',
    message: (option: string, owner: string, nearest: string | undefined) =>
      `unknown option '${option}' of ${owner}${nearest === undefined ? '' : `; did you mean '${nearest}'?`}`,
    base: TypeError,
  });
