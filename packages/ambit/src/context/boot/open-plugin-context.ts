/** Opens a context for each plugin, or its parent's for a hoisted one, once the plugin's own conditions are met. */
import type { Context } from '../../contract/context.ts';
import { OptionInvalid } from '../../contract/errors.ts';
import type { RegisterOptions } from '../../contract/registration.ts';
import { type ErrorPlace, withErrorPlace } from '../../shared/error-place.ts';
import { nearestName } from '../../shared/nearest-name.ts';
import { attachNode, type ContextName, ContextNode, nodeOf } from '../context-node.ts';
import { checkTypes, isOfType, type OptionTypes, objectOrFalse } from '../options/check-options.ts';
import { checkSpelling, type KnownNames } from '../options/check-spelling.ts';
import { checkPlugin, registeredName } from './check-plugin.ts';
import { isHoisted } from './hoist.ts';
import { type DisplayName, ownName, RegistrationPlace, sourceName } from './plugin-name.ts';
import type { PlacedPlugin, Registration, RegistrationOrigin } from './plugin-registration.ts';

const registerTypes: OptionTypes = {
  prefix: ['string', 'false'],
  logLevel: ['string', 'false'],
  logSerializers: objectOrFalse,
};

const spelling: KnownNames = {
  known: Object.keys(registerTypes),
  // The plugin has options of its own. A misspelled name differs by one letter, and its value has the right type.
  isFree: (name, value, nearest) =>
    nearestName(name, [nearest], 1) === undefined || !isOfType(value, registerTypes[nearest]!),
};

/** @throws An error of the catalogue when the plugin refuses this context, or the context the plugin. */
export function openPluginContext(
  parent: Context,
  registration: Registration,
  options: RegisterOptions & Record<string, unknown>,
): Context {
  const node = nodeOf(parent);
  const label = labelOf(registration, options);
  const placed: PlacedPlugin = { label, parent, context: undefined };
  registration.placed = placed;
  const registered = registeredName(registration.plugin);
  if (registered !== undefined) node.registered.add(registered);
  placed.context = withErrorPlace(
    () => openFor(node, registration, options, label),
    () => locatePlugin(registration)!,
    node.app.translateError,
  );
  return placed.context;
}

/** Where a plugin stands, and which line registered it; `undefined` until its turn has come. */
export function locatePlugin(registration: Registration | RegistrationOrigin): ErrorPlace | undefined {
  const { placed } = registration as Registration;
  // Paths are as long as the tree is deep: they are made when asked for.
  return (
    placed && { plugin: `${nodeOf(placed.parent).path} > ${placed.label}`, file: registration.site.place }
  );
}

/** The plugin's own name, that of its options, or the line that registered it. */
function labelOf({ plugin, site }: Registration, { name }: Record<string, unknown>): DisplayName {
  return ownName(plugin) ?? (typeof name === 'string' && name !== '' ? name : new RegistrationPlace(site));
}

function openFor(
  node: ContextNode,
  { plugin }: Registration,
  options: RegisterOptions & Record<string, unknown>,
  label: DisplayName,
): Context {
  const isFastify = node.app.compatibility.messages === 'fastify';
  const shown = isFastify ? (ownName(plugin) ?? sourceName(plugin)) : label;
  checkPlugin(plugin, {
    name: shown,
    apiLevel: node.app.apiLevel ?? node.app.root.version,
    isRegistered: (dependency) => node.isRegistered(dependency),
    has: (owner, decorator) => hasDecorator(node, owner, decorator),
  });
  if (isHoisted(plugin)) {
    node.names.push(shown);
    return node.api;
  }
  // To a hoisted plugin these mean whatever it likes: it has no context of its own.
  checkTypes(options, registerTypes, (problem) => OptionInvalid('register', problem));
  checkSpelling(options, spelling, 'register', node.app.compatibility.misspelledNames);
  return openChild(node, { inPluginName: shown, inPath: label }, options);
}

function hasDecorator(
  node: ContextNode,
  owner: 'Fastify' | 'Request' | 'Reply',
  name: string | symbol,
): boolean {
  if (owner === 'Fastify') return name in node.api;
  return (owner === 'Request' ? node.requestDecorators : node.replyDecorators).has(name);
}

function openChild(
  parent: ContextNode,
  name: ContextName,
  options: RegisterOptions & Record<string, unknown>,
): Context {
  // The one place with prototype inheritance: what is added to the parent reads as the child's own.
  const api = Object.create(parent.api) as Context;
  const node = new ContextNode(parent.app, api, name, parent, options.prefix);
  attachNode(api, node);
  if (options.logLevel) node.settings.logLevel = options.logLevel;
  if (options.logSerializers) {
    node.settings.logSerializers = { ...parent.setting('logSerializers'), ...options.logSerializers };
  }
  for (const hook of parent.allHooks('onRegister')) hook.call(parent.api, api as never, options as never);
  return api;
}
