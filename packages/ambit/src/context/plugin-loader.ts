/** Opens a context for each plugin, or its parent's for a hoisted one, once the plugin's own conditions are met. */
import type { Context } from '../contract/context.ts';
import { OptionInvalid } from '../contract/errors.ts';
import type { RegisterOptions } from '../contract/plugin.ts';
import { type ErrorPlace, locateError } from '../shared/define-error.ts';
import { nearestName } from '../shared/nearest-name.ts';
import { attachNode, type ContextName, ContextNode, nodeOf } from './context-node.ts';
import type { Registration, RegistrationOrigin } from './guarded-plugin.ts';
import { checkTypes, isOfType, type OptionTypes, objectOrFalse } from './option-rules.ts';
import { ownName, PlaceName, type ShownName, sourceName } from './plugin-name.ts';
import { checkPlugin, isHoisted, registeredName } from './plugin-rules.ts';
import { checkSpelling, type KnownNames } from './spelling.ts';

const registerTypes: OptionTypes = {
  prefix: ['string', 'false'],
  logLevel: ['string', 'false'],
  logSerializers: objectOrFalse,
};

/** A plugin that was let into a context. */
interface Entered {
  readonly node: ContextNode;
  readonly label: ShownName;
}
const spelling: KnownNames = {
  known: Object.keys(registerTypes),
  // The plugin has options of its own. A slip is one letter, and changes no type.
  isFree: (name, value, nearest) =>
    nearestName(name, [nearest], 1) === undefined || !isOfType(value, registerTypes[nearest]!),
};

export class PluginLoader {
  /** Where each registration was entered. Paths are as long as the tree is deep: they are made when asked for. */
  readonly #entered = new WeakMap<Registration, Entered>();

  /** @throws An error of the catalogue when the plugin refuses this context, or the context the plugin. */
  enter(
    parent: Context,
    registration: Registration,
    options: RegisterOptions & Record<string, unknown>,
  ): Context {
    const node = nodeOf(parent);
    const label = labelOf(registration, options);
    this.#entered.set(registration, { node, label });
    const registered = registeredName(registration.plugin);
    if (registered !== undefined) node.registered.add(registered);
    try {
      return letIn(node, registration, options, label);
    } catch (error) {
      locateError(error, () => this.locate(registration)!);
      throw node.app.wordError(error);
    }
  }

  /** Where a plugin stands, and which line registered it; `undefined` until it is entered. */
  locate(registration: Registration | RegistrationOrigin): ErrorPlace | undefined {
    const entered = this.#entered.get(registration as Registration);
    return entered && { plugin: `${entered.node.path} > ${entered.label}`, file: registration.site.place };
  }
}

/** The plugin's own name, that of its options, or the line that registered it. */
function labelOf({ plugin, site }: Registration, { name }: Record<string, unknown>): ShownName {
  return ownName(plugin) ?? (typeof name === 'string' && name !== '' ? name : new PlaceName(site));
}

function letIn(
  node: ContextNode,
  { plugin }: Registration,
  options: RegisterOptions & Record<string, unknown>,
  label: ShownName,
): Context {
  const isFastify = node.app.conventions.words === 'fastify';
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
  checkSpelling(options, spelling, 'register', node.app.conventions.misspelling);
  return openChild(node, { shown, label }, options);
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
