// A set-up file of the tests. They stand beside the sources, whose frames the framework leaves out when it looks for its caller; here tests are callers.
import { vi } from 'vitest';

vi.mock('../packages/ambit/src/shared/own-files.ts', async (importOriginal) => {
  const ownFiles = await importOriginal();
  const isTest = (place) => /\.test\.[cm]?[jt]s(?::|$)/.test(place);
  return { ...ownFiles, isOwnFile: (place) => !isTest(place) && ownFiles.isOwnFile(place) };
});
