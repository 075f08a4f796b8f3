/** Opens a context for each plugin, or its parent's for a hoisted one, once the plugin's own conditions are met. */
import type { Context } from '../contract/context.ts';
import { OptionInvalid } from '../contract/errors.ts';
import type { RegisterOptions } from '../contract/plugin.ts';
import type { ErrorPlace } from '../kit/define-error.ts';
import { attachNode, ContextNode, nodeOf } from './context-node.ts';
import type { Registration } from './guarded-plugin.ts';
import { checkTypes, type OptionTypes, objectOrFalse } from './option-rules.ts';
import { checkPlugin, displayName, isHoisted, registeredName } from './plugin-rules.ts';

const registerTypes: OptionTypes = {
  prefix: ['string', 'false'],
  logLevel: ['string', 'false'],
  logSerializers: objectOrFalse,
};

export class PluginEntrance {
  /** The context that each registration was entered in. Paths are as long as the tree is deep: they are made when asked for. */
  readonly #entered = new WeakMap<Registration, ContextNode>();

  /** @throws An error of the catalogue when the plugin refuses this context, or the context the plugin. */
  enter(
    parent: Context,
    registration: Registration,
    options: RegisterOptions & Record<string, unknown>,
  ): Context {
    const { plugin, site } = registration;
    const node = nodeOf(parent);
    const name = displayName(plugin);
    this.#entered.set(registration, node);
    const registered = registeredName(plugin);
    if (registered !== undefined) node.registered.add(registered);
    try {
      checkPlugin(plugin, {
        apiLevel: node.app.apiLevel ?? node.app.root.version,
        isRegistered: (dependency) => node.isRegistered(dependency),
        has: (owner, decorator) => hasDecorator(node, owner, decorator),
      });
      // To a hoisted plugin these mean whatever it likes: it has no context of its own.
      if (!isHoisted(plugin))
        checkTypes(options, registerTypes, (problem) => OptionInvalid('register', problem));
    } catch (error) {
      throw Object.assign(error as Error, { where: { plugin: pathOf(node, plugin), file: site.place } });
    }
    if (isHoisted(plugin)) {
      node.names.push(name);
      return parent;
    }
    return openChild(node, name, options);
  }

  /** Where a plugin stands and what ends it, for the error that says it did not end. */
  locate(registration: Registration): ErrorPlace | undefined {
    const node = this.#entered.get(registration);
    if (node === undefined) return undefined;
    const { plugin, site } = registration;
    return { plugin: pathOf(node, plugin), file: site.place, step: stepOf(registration) };
  }
}

function pathOf(node: ContextNode, plugin: Registration['plugin']): string {
  return `${node.path} > ${displayName(plugin)}`;
}

function stepOf({ plugin }: Registration): string {
  return plugin.length >= 3
    ? 'the plugin has not called its `done` callback'
    : 'the promise that the plugin returned has not settled';
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
  name: string,
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
