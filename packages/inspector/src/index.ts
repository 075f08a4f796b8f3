/** The public surface of `@ambit/inspector`. */
export { type Inspectable, inspect } from './inspect.ts';
export { inspectRoute } from './inspect-route.ts';
export type * from './model.ts';
export { modelSchema } from './model-schema.ts';
export { InspectorError, type InspectorOptions } from './options.ts';
export { inspector } from './plugin.ts';
