/** Gives the root context its defaults: the parsers of JSON and text, and settings from the options. */
import type { ContextNode } from './context-node.ts';
import type { ResolvedOptions } from './options/resolve-options.ts';
import { makeJsonReader, readText } from './parsers.ts';

export function registerDefaults(
  { api, parsers, settings }: ContextNode,
  { bodyLimit, overload, userOptions }: ResolvedOptions,
): void {
  const { onProtoPoisoning = 'error', onConstructorPoisoning = 'error' } = userOptions;
  parsers.addBuiltIn('application/json', bodyLimit, makeJsonReader(onProtoPoisoning, onConstructorPoisoning));
  parsers.addBuiltIn('text/plain', bodyLimit, readText);
  const { schemaErrorFormatter, childLoggerFactory, genReqId, errors, responses } = userOptions;
  if (errors) settings.errorFormat = errors;
  if (responses) settings.responses = responses;
  settings.overload = overload;
  if (schemaErrorFormatter) settings.formatProblems = schemaErrorFormatter.bind(api);
  if (childLoggerFactory) settings.childLoggerFactory = childLoggerFactory;
  if (genReqId) settings.makeRequestId = genReqId as (rawRequest: never) => string;
}
