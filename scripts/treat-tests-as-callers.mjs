// A setup file of the tests. The framework skips stack frames of its own files when it looks for its caller. Test files
// are next to the sources, but must count as callers.
import { vi } from 'vitest';

vi.mock('../packages/ambit/src/shared/framework-files.ts', async (importOriginal) => {
  const frameworkFiles = await importOriginal();
  const isTest = (file) => /\.test\.[cm]?[jt]s(?::|$)/.test(file);
  return {
    ...frameworkFiles,
    isFrameworkFile: (file) => !isTest(file) && frameworkFiles.isFrameworkFile(file),
  };
});
