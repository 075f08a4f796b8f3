/** The errors of plugins: of the arguments of `register`, and of boot. */

import type { ErrorClass } from '../../shared/coded-error.ts';
import { defineError } from '../../shared/define-error.ts';

/** The value passed to `register` is not a plugin. */
export const PluginInvalid: ErrorClass<[problem: string]> = defineError({
  code: 'FST_ERR_PLUGIN_NOT_VALID',
  message: '%s',
  ecosystemMessage: 'fastify-plugin: %s',
});
/** A listener is not a function. */
export const PluginCallbackNotFunction: ErrorClass<[problem: string]> = defineError({
  code: 'FST_ERR_PLUGIN_CALLBACK_NOT_FN',
  message: '%s',
  ecosystemMessage: 'fastify-plugin: %s',
  base: TypeError,
});
/** `register` was called too late. */
export const RootAlreadyBooted: ErrorClass<[problem: string]> = defineError({
  code: 'FST_ERR_ROOT_PLG_BOOTED',
  message: '%s',
  ecosystemMessage: 'fastify-plugin: %s',
});
/** `register` was called too late. */
export const ParentAlreadyLoaded: ErrorClass<[problem: string]> = defineError({
  code: 'FST_ERR_PARENT_PLUGIN_BOOTED',
  message: '%s',
  ecosystemMessage: 'fastify-plugin: %s',
});
/** The plugin did not finish within `pluginTimeout`. */
export const PluginTimeout: ErrorClass<[problem: string]> = defineError({
  code: 'FST_ERR_PLUGIN_TIMEOUT',
  message: '%s',
  ecosystemMessage: 'fastify-plugin: %s',
});
/** An async plugin has the parameter `done`. */
export const PluginMixesStyles: ErrorClass<[plugin: string]> = defineError({
  code: 'FST_ERR_PLUGIN_INVALID_ASYNC_HANDLER',
  message:
    'The %s plugin being registered mixes async and callback styles. Async plugin should not mix async and callback style.',
  base: TypeError,
});
/** The plugin was written for another version of the API. */
export const PluginVersionMismatch: ErrorClass<[plugin: string, range: string, version: string]> =
  defineError({
    code: 'FST_ERR_PLUGIN_VERSION_MISMATCH',
    message: "the plugin '%s' requires version '%s' of the Fastify API, but this is '%s'",
    ecosystemMessage: "fastify-plugin: %s - expected '%s' fastify version, '%s' is installed",
  });
/** A plugin in `dependencies` is not registered before this one. */
export const PluginDependencyMissing: ErrorClass<[dependency: string, plugin: string]> = defineError({
  code: 'FST_ERR_PLUGIN_DEPENDENCY_NOT_REGISTERED',
  message: "The dependency '%s' of plugin '%s' is not registered",
});
/** The object with a decorator, as messages of Fastify name it. */
export type DecoratorOwner = 'Fastify' | 'Request' | 'Reply';
/** A decorator in `decorators` is not visible. */
export const PluginDecoratorMissing: ErrorClass<
  [decorator: string, requiredBy: string, owner: DecoratorOwner]
> = defineError({
  code: 'FST_ERR_PLUGIN_NOT_PRESENT_IN_INSTANCE',
  message: (decorator: string, requiredBy: string, owner: DecoratorOwner) =>
    `The decorator '${decorator}'${requiredBy} is not present in ${owner === 'Fastify' ? 'Context' : owner}`,
  ecosystemMessage: "The decorator '%s'%s is not present in %s",
});
/** The metadata of the plugin is invalid, or the plugin depends on itself. */
export const PluginMetadataInvalid: ErrorClass<[problem: string]> = defineError({
  code: 'AMBIT_ERR_PLUGIN_METADATA',
  message: 'plugin metadata: %s',
  base: TypeError,
});
