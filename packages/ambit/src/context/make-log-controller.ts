/** Returns the log controller that the application passed, or creates one from its options. */
import { LogControllerInvalid } from '../types/errors.ts';
import { LogController } from '../types/log-controller.ts';
import type { AmbitOptions } from '../types/options.ts';

/** @throws {LogControllerInvalid} */
export function makeLogController({
  logController,
  disableRequestLogging,
  requestIdLogLabel,
}: AmbitOptions): LogController {
  if (!logController) {
    return new LogController({
      ...(disableRequestLogging !== undefined && { disableRequestLogging }),
      ...(requestIdLogLabel !== undefined && { requestIdLogLabel }),
    });
  }
  if (logController instanceof LogController) return logController;
  throw new LogControllerInvalid(typeof logController);
}
