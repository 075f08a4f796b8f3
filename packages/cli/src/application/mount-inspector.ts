/** Adds the inspector to an application that is loaded but not booted. */

import type { Context } from 'ambit';
import { loadFor } from './framework.ts';
import type { Application } from './load-application.ts';

type Inspector = typeof import('@ambit/inspector');

const path = '/__ambit';

/**
 * @returns The path of its page; `undefined` if the application has already booted, or in production, because the page would need a guard.
 */
export function mountInspector({ app, file }: Application): string | undefined {
  if (process.env.NODE_ENV === 'production') return undefined;
  const { inspector } = loadFor<Inspector>(file, '@ambit/inspector');
  try {
    // It is registered last, so it runs after the plugins of the application. One of them may be the inspector.
    app.register(async function ambitCommand(context: Context) {
      if (!app.hasRoute({ method: 'GET', url: path })) await inspector(context as never, { path });
    } as never);
    return path;
  } catch {
    return undefined;
  }
}
