/** The applications whose documents other tools must understand. */
import type { Context } from 'ambit';
import { files, manyRoutes, notes, recursion, streams, unions } from './basics.ts';
import {
  annotations,
  draft7,
  oddPaths,
  otherLibraries,
  parameters,
  security,
  versions,
  zod,
} from './details.ts';
import { typedApp } from './typed-app.ts';

export const corpus: Readonly<Record<string, () => Context>> = {
  notes,
  recursion,
  unions,
  files,
  streams,
  manyRoutes,
  zod,
  otherLibraries,
  versions,
  security,
  annotations,
  oddPaths,
  draft7,
  parameters,
  typedApp: typedApp as never,
};
