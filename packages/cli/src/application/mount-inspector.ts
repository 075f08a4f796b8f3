/** Adds the inspector to an application that has been loaded and not booted. */

import type { Context } from 'ambit';
import { loadFor } from './framework.ts';
import type { Application } from './load-application.ts';

type Inspector = typeof import('@ambit/inspector');

const path = '/__ambit';

/**
 * @returns The path of its page; `undefined` if the application has booted already, or in production, where the page would need a guard.
 */
export function mountInspector({ app, file }: Application): string | undefined {
  if (process.env.NODE_ENV === 'production') return undefined;
  const { inspector } = loadFor<Inspector>(file, '@ambit/inspector');
  try {
    // Registered last, it runs when the plugins of the application have: one of them may be the inspector.
    app.register(async function ambitCommand(context: Context) {
      if (!app.hasRoute({ method: 'GET', url: path })) await inspector(context as never, { path });
    } as never);
    return path;
  } catch {
    return undefined;
  }
}
