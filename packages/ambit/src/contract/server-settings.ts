/** What the options say about servers. */
import type { AmbitOptions } from './options.ts';

/** Times are in milliseconds; 0 is no limit. */
export interface ServerSettings {
  /** The options as userOptions, copied. */
  readonly userOptions: AmbitOptions;
  readonly connectionTimeout: number;
  readonly keepAliveTimeout: number;
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  readonly maxRequestsPerSocket: number;
  readonly http2SessionTimeout: number;
}
