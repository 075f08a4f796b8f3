/** The names of options, for tests that give each of them a value that it does not expect. */

export const words = (text: string): string[] => text.trim().split(/\s+/);

/** The options of the factory that Fastify has. */
export const factoryOptions: readonly string[] = words(`
  http https http2 serverFactory connectionTimeout keepAliveTimeout requestTimeout handlerTimeout maxRequestsPerSocket
  forceCloseConnections return503OnClosing bodyLimit onProtoPoisoning onConstructorPoisoning logger loggerInstance logController
  disableRequestLogging requestIdLogLabel childLoggerFactory requestIdHeader genReqId trustProxy pluginTimeout exposeHeadRoutes ajv
  serializerOpts schemaController schemaErrorFormatter frameworkErrors clientErrorHandler rewriteUrl allowErrorHandlerOverride
  routerOptions querystringParser constraints caseSensitive ignoreTrailingSlash ignoreDuplicateSlashes maxParamLength
  useSemicolonDelimiter`);

export const routeOptions: readonly string[] = words(`
  schema attachValidation validatorCompiler serializerCompiler childLoggerFactory config constraints exposeHeadRoute
  prefixTrailingSlash logSerializers logLevel bodyLimit handlerTimeout errorHandler schemaErrorFormatter handler preHandler onSend`);
