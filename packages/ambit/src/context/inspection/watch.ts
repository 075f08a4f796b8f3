/** Lets tools watch the requests of an application. Without a watcher, plans contain no code for it. */
import type { Context } from '../../types/context.ts';
import { AlreadyStarted } from '../../types/errors.ts';
import type { RequestWatcher, SerializationChange } from '../../types/inspection.ts';
import { changeContext } from '../context-node.ts';

/**
 * Watches each step of each request of an application.
 *
 * @param app Any context of the application.
 * @param watcher Called with each step when it begins, and with the end of each response.
 * @throws {FST_ERR_INSTANCE_ALREADY_LISTENING} once the application is ready: its plans are compiled by then.
 */
export function watchRequests(app: Context, watcher: RequestWatcher): void {
  changeContext(app, 'watchRequests', (node) => {
    if (node.app.boot.isLoaded) throw new AlreadyStarted('Cannot call "watchRequests"!');
    node.app.server.watchers.push(watcher);
  });
}

/**
 * Reports what the default serializers change in values: properties that they drop, values that they write as another type, defaults
 * that they write. Each change is reported once per response schema. With a listener, each value is read twice.
 *
 * @param app Any context of the application.
 * @param listener Called with each change.
 * @throws {FST_ERR_INSTANCE_ALREADY_LISTENING} once the application is ready: its serializers are compiled by then.
 */
export function watchSerialization(app: Context, listener: (change: SerializationChange) => void): void {
  changeContext(app, 'watchSerialization', (node) => {
    if (node.app.boot.isLoaded) throw new AlreadyStarted('Cannot call "watchSerialization"!');
    node.app.serializationListeners.push(listener);
  });
}
