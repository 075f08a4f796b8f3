/** The methods of contexts for the server of the application. */
import type { AddressInfo } from 'node:net';
import type { ListenOptions } from '../../types/options.ts';
import { nodeOf } from '../context-node.ts';
import { type ListenCallback, listen, originOf } from '../listen.ts';
import type { ContextMethods } from './context-methods.ts';

export const serverMethods: ContextMethods = {
  listen(
    optionsOrCallback?: ListenOptions | ListenCallback,
    callback?: ListenCallback,
  ): Promise<string | undefined> | undefined {
    return listen(nodeOf(this), optionsOrCallback, callback);
  },

  addresses(): AddressInfo[] {
    return nodeOf(this).app.addresses();
  },

  get listeningOrigin(): string {
    const { app } = nodeOf(this);
    return originOf(app.addresses().at(-1)!, app.initialConfig.https ? 'https' : 'http');
  },
};
