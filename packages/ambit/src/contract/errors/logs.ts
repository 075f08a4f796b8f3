/** The errors of loggers and log controllers. */

import type { ErrorClass } from '../../shared/coded-error.ts';
import { defineError } from '../../shared/define-error.ts';

/** Both `logger.stream` and `logger.file` are set. */
export const LogDestinationInvalid: ErrorClass<[]> = defineError({
  code: 'FST_ERR_LOG_INVALID_DESTINATION',
  message: 'Cannot specify both logger.stream and logger.file options',
});
/** The logger does not have all methods. */
export const LoggerInvalid: ErrorClass<[missing: string]> = defineError({
  code: 'FST_ERR_LOG_INVALID_LOGGER',
  message: "Invalid logger object provided. The logger instance should have these functions(s): '%s'.",
  base: TypeError,
});
/** `loggerInstance` is not a logger. */
export const LoggerInstanceInvalid: ErrorClass<[]> = defineError({
  code: 'FST_ERR_LOG_INVALID_LOGGER_INSTANCE',
  message: 'loggerInstance only accepts a logger instance.',
  base: TypeError,
});
/** `logger` is a logger instance: pass it as `loggerInstance`. */
export const LoggerOptionsInvalid: ErrorClass<[]> = defineError({
  code: 'FST_ERR_LOG_INVALID_LOGGER_CONFIG',
  message: 'logger options only accepts a configuration object.',
  base: TypeError,
});
/** Both `logger` and `loggerInstance` are set. */
export const LoggerGivenTwice: ErrorClass<[]> = defineError({
  code: 'FST_ERR_LOG_LOGGER_AND_LOGGER_INSTANCE_PROVIDED',
  message: 'You cannot provide both logger and loggerInstance. Please provide only one.',
  base: TypeError,
});
/** The value is not a `LogController`. */
export const LogControllerInvalid: ErrorClass<[received: string]> = defineError({
  code: 'FST_ERR_LOG_INVALID_LOG_CONTROLLER',
  message: "logController option must be an instance of LogController, got '%s'.",
  base: TypeError,
});
