/** Makes the log controller of an application, from its options or as it is given. */
import { LogControllerInvalid } from '../contract/errors.ts';
import { LogController } from '../contract/log-controller.ts';
import type { AmbitOptions } from '../contract/options.ts';

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
