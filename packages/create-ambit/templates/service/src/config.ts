/** The configuration from the environment, except `PORT` and `HOST`, which the server reads. */
export interface Config {
  logLevel: string;
  /** A file of SQLite, or `:memory:`. */
  databaseFile: string;
  /** If it is set, the database is Postgres. */
  databaseUrl: string | undefined;
  /** The folder of the files that users attach to notes. */
  uploadsFolder: string;
  /** The addresses of proxies, whose `X-Forwarded-For` is believed; `false` for none. */
  trustProxy: string[] | false;
  /** Whether requests have spans and metrics. */
  openTelemetry: boolean;
}

const logLevels = ['debug', 'info', 'warn', 'error', 'silent'];

/** @throws if a variable has an invalid value, so that the application does not start with it. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const logLevel = env.LOG_LEVEL || 'info';
  if (!logLevels.includes(logLevel)) {
    throw new Error(`LOG_LEVEL must be one of ${logLevels.join(', ')}, not "${logLevel}"`);
  }
  const databaseUrl = env.DATABASE_URL || undefined;
  if (databaseUrl !== undefined && !/^postgres(ql)?:\/\//.test(databaseUrl)) {
    throw new Error('DATABASE_URL must begin with postgres://');
  }
  const trustProxy = env.TRUST_PROXY ? env.TRUST_PROXY.split(',').map((address) => address.trim()) : false;
  if (trustProxy !== false && !trustProxy.every((address) => /^[\da-f.:]+(\/\d+)?$/i.test(address))) {
    throw new Error(`TRUST_PROXY must be addresses or ranges of proxies, not "${env.TRUST_PROXY}"`);
  }
  const openTelemetry = env.OPENTELEMETRY || 'false';
  if (!['true', 'false'].includes(openTelemetry)) {
    throw new Error(`OPENTELEMETRY must be true or false, not "${openTelemetry}"`);
  }
  return {
    logLevel,
    databaseFile: env.DATABASE_FILE || 'data/notes.db',
    databaseUrl,
    uploadsFolder: env.UPLOADS_FOLDER || 'data/uploads',
    trustProxy,
    openTelemetry: openTelemetry === 'true',
  };
}
