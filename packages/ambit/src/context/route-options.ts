/** Checks the options that routes and not-found handlers share: what may stand under each, and misspelt names. */
import { OptionInvalid, UnknownOption } from '../contract/errors.ts';
import { nearestName } from '../shared/nearest-name.ts';
import { requestHookNames } from './hook-table.ts';
import { checkTypes, functionOrFalse, type OptionTypes, objectOrFalse } from './option-rules.ts';
import { checkFormatter } from './schema-options.ts';

const types: OptionTypes = {
  schema: objectOrFalse,
  attachValidation: ['boolean'],
  validatorCompiler: functionOrFalse,
  serializerCompiler: functionOrFalse,
  childLoggerFactory: functionOrFalse,
  config: objectOrFalse,
  constraints: objectOrFalse,
  exposeHeadRoute: ['boolean'],
  prefixTrailingSlash: ["'both'", "'slash'", "'no-slash'"],
  logSerializers: objectOrFalse,
};

const names: readonly string[] = [
  ...Object.keys(types),
  ...requestHookNames,
  'method',
  'url',
  'path',
  'handler',
  'errorHandler',
  'schemaErrorFormatter',
  'bodyLimit',
  'handlerTimeout',
  'logLevel',
  // Hooks that declare a route like another one copy these along.
  'routePath',
  'prefix',
];

/** Options of published plugins that look like misspelt ones of ours. */
const namesOfPlugins: ReadonlySet<string> = new Set(['errorHandlers']);

/** @throws {OptionInvalid} {UnknownOption} {SchemaErrorFormatterNotFunction} */
export function checkRouteOptions(options: object, owner: string): void {
  checkTypes(options, types, (problem) => OptionInvalid(owner, problem));
  const { schemaErrorFormatter } = options as { schemaErrorFormatter?: unknown };
  if (schemaErrorFormatter) checkFormatter(schemaErrorFormatter);
  checkSpelling(options, owner);
}

/**
 * Plugins put options of their own on routes, so an unknown name passes, unless it is a slip of the pen: the hook that
 * would never run for it may be the one that asks who is there.
 */
function checkSpelling(options: object, owner: string): void {
  const given = options as Readonly<Record<string, unknown>>;
  for (const name of Object.keys(given)) {
    if (given[name] === undefined || names.includes(name) || namesOfPlugins.has(name)) continue;
    const nearest = nearestName(name, names);
    if (nearest === undefined || given[nearest] !== undefined || differsByWord(name, nearest)) continue;
    throw new UnknownOption(name, owner, nearest);
  }
}

/** Whether a whole word makes the difference, as between `wsHandler` and `handler`: no slip adds one. */
function differsByWord(a: string, b: string): boolean {
  const [shorter, longer] = a.length < b.length ? [a, b] : [b, a];
  const asLastWord = shorter.charAt(0).toUpperCase() + shorter.slice(1);
  if (longer.endsWith(asLastWord)) return true;
  return longer.startsWith(shorter) && /[A-Z\d]/.test(longer.charAt(shorter.length));
}
