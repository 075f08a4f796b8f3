/** Opens a context for each plugin whose requirements are met. A hoisted plugin gets the context of its parent. */

import { type ErrorPlace, withErrorPlace } from '../../shared/error-place.ts';
import { nearestName } from '../../shared/nearest-name.ts';
import type { Context } from '../../types/context.ts';
import { OptionInvalid } from '../../types/errors.ts';
import type { RegisterOptions } from '../../types/plugins.ts';
import { attachNode, type ContextName, ContextNode, nodeOf } from '../context-node.ts';
import { checkTypes, isOfType, type OptionTypes, objectOrFalse } from '../options/check-options.ts';
import { checkSpelling, type KnownNames } from '../options/check-spelling.ts';
import { checkPlugin, registeredName } from './check-plugin.ts';
import { isHoisted } from './hoist.ts';
import { type DisplayName, ownName, RegistrationPlace, sourceName } from './plugin-name.ts';
import type { PluginPlacement, Registration, RegistrationOrigin } from './plugin-registration.ts';

const registerTypes: OptionTypes = {
  prefix: ['string', 'false'],
  logLevel: ['string', 'false'],
  logSerializers: objectOrFalse,
};

const spelling: KnownNames = {
  known: Object.keys(registerTypes),
  // Plugins have options of their own, so a name counts as misspelled only if it differs by one letter and its value has the right type.
  isAllowed: (name, value, nearest) =>
    nearestName(name, [nearest], 1) === undefined || !isOfType(value, registerTypes[nearest]!),
};

/** @throws An error of the catalogue if a requirement of the plugin is not met, or an option is invalid. */
export function openPluginContext(
  parent: Context,
  registration: Registration,
  options: RegisterOptions & Record<string, unknown>,
): Context {
  const node = nodeOf(parent);
  const label = labelOf(registration, options);
  const placement: PluginPlacement = { label, parent, context: undefined };
  registration.placement = placement;
  const registered = registeredName(registration.plugin);
  if (registered !== undefined) node.registered.add(registered);
  placement.context = withErrorPlace(
    () => openContextFor(node, registration, options, label),
    () => locatePlugin(registration)!,
    node.app.translateError,
  );
  return placement.context;
}

/** The plugin's path in the tree of contexts, and the line that registered it; `undefined` until boot has reached the plugin. */
export function locatePlugin(registration: Registration | RegistrationOrigin): ErrorPlace | undefined {
  const { placement } = registration as Registration;
  // Made on demand, because a path is as long as the tree is deep.
  return (
    placement && {
      plugin: `${nodeOf(placement.parent).path} > ${placement.label}`,
      file: registration.site.location,
    }
  );
}

/** The plugin's own name, the name in its options, or the line that registered it. */
function labelOf({ plugin, site }: Registration, { name }: Record<string, unknown>): DisplayName {
  return ownName(plugin) ?? (typeof name === 'string' && name !== '' ? name : new RegistrationPlace(site));
}

function openContextFor(
  node: ContextNode,
  { plugin }: Registration,
  options: RegisterOptions & Record<string, unknown>,
  label: DisplayName,
): Context {
  const isFastify = node.app.compatibility.messages === 'fastify';
  const displayName = isFastify ? (ownName(plugin) ?? sourceName(plugin)) : label;
  checkPlugin(plugin, {
    name: displayName,
    apiLevel: node.app.apiLevel ?? node.app.root.version,
    isRegistered: (dependency) => node.isRegistered(dependency),
    has: (owner, decorator) => hasDecorator(node, owner, decorator),
  });
  if (isHoisted(plugin)) {
    node.names.push(displayName);
    return node.api;
  }
  // Not for hoisted plugins: they have no context that these options apply to, and may use the names for options of their own.
  const own = { ...options };
  // A prefix that is no text becomes one, as in Fastify; other values of a wrong type are ignored.
  if (!node.app.compatibility.checksDeclarations && options.prefix) own.prefix = String(options.prefix);
  checkTypes(own, registerTypes, (problem) => OptionInvalid('register', problem), node.app.compatibility);
  checkSpelling(options, spelling, 'register', node.app.compatibility);
  return openChild(node, { inPluginName: displayName, inPath: label }, own);
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
  // The only place with prototype inheritance: what is added to the parent can be read from the child.
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
