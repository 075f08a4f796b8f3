import { makeApp } from './app.ts';
import { upload } from './files.ts';

const none = () => Promise.reject(new Error('the build has no bindings'));

/** The application whose schemas the build compiles. It serves no request. */
export default () =>
  makeApp({
    database: { query: none },
    files: { upload, save: none, read: none, remove: none },
    events: { publish: none, subscribe: none },
  });
