/** Records the warnings that each test of a file causes, instead of printing them, and restores the environment behind it. */
import { afterEach, beforeEach, vi } from 'vitest';

/** @returns A list, empty before each test, of `AMBWRN001 The message`. */
export function recordWarnings(): string[] {
  const warnings: string[] = [];
  beforeEach(() => {
    warnings.length = 0;
    vi.spyOn(process, 'emitWarning').mockImplementation((message, options) => {
      warnings.push(`${(options as { code: string }).code} ${message}`);
    });
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });
  return warnings;
}
