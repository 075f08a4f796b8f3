/** Options that create or configure a server. They have no effect on an application that something else serves. */
export const serverOptions = [
  'http',
  'https',
  'http2',
  'engine',
  'serverFactory',
  'clientErrorHandler',
  'connectionTimeout',
  'headersTimeout',
  'keepAliveTimeout',
  'requestTimeout',
  'maxRequestsPerSocket',
  'forceCloseConnections',
] as const;
