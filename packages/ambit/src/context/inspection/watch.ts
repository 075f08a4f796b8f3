/** Lets tools watch the requests of an application. One that nobody watches has no code for it in its plans. */
import type { Context } from '../../contract/context.ts';
import { AlreadyStarted } from '../../contract/errors.ts';
import type { SerializationChange } from '../../contract/inspected-schemas.ts';
import type { RequestWatcher } from '../../contract/inspected-steps.ts';
import { changeContext } from '../change-context.ts';

/**
 * Watches each step of each request of an application.
 *
 * @param app Any context of the application.
 * @param watcher Is told of each step as it begins, and of the end of each response.
 * @throws {FST_ERR_INSTANCE_ALREADY_LISTENING} once the application is ready: its plans are compiled by then.
 */
export function watchRequests(app: Context, watcher: RequestWatcher): void {
  changeContext(app, 'watchRequests', (node) => {
    if (node.app.boot.isLoaded) throw new AlreadyStarted('Cannot call "watchRequests"!');
    node.app.server.watchers.push(watcher);
  });
}

/**
 * Watches what the default serializers change in values: properties that they drop, values that they write as another type, defaults
 * that they write. Each change is reported once for each response schema. Values are then walked twice.
 *
 * @param app Any context of the application.
 * @param listener Gets each change.
 * @throws {FST_ERR_INSTANCE_ALREADY_LISTENING} once the application is ready: its serializers are compiled by then.
 */
export function watchSerialization(app: Context, listener: (change: SerializationChange) => void): void {
  changeContext(app, 'watchSerialization', (node) => {
    if (node.app.boot.isLoaded) throw new AlreadyStarted('Cannot call "watchSerialization"!');
    node.app.serializationListeners.push(listener);
  });
}
