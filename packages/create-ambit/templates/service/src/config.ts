/** What the environment decides. */
export interface Config {
  port: number;
  host: string;
  logLevel: string;
  /** A file of SQLite, or `:memory:`. */
  databaseFile: string;
  /** If it is set, the database is Postgres. */
  databaseUrl: string | undefined;
  /** The folder of the files that users attach to notes. */
  uploadsFolder: string;
}

const logLevels = ['debug', 'info', 'warn', 'error', 'silent'];

/** @throws if a variable has a value that makes no sense, so that the application does not start with it. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const port = Number(env.PORT || 3000);
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    throw new Error(`PORT must be a number from 0 to 65535, not "${env.PORT}"`);
  }
  const logLevel = env.LOG_LEVEL || 'info';
  if (!logLevels.includes(logLevel)) {
    throw new Error(`LOG_LEVEL must be one of ${logLevels.join(', ')}, not "${logLevel}"`);
  }
  const databaseUrl = env.DATABASE_URL || undefined;
  if (databaseUrl !== undefined && !/^postgres(ql)?:\/\//.test(databaseUrl)) {
    throw new Error('DATABASE_URL must begin with postgres://');
  }
  return {
    port,
    host: env.HOST || 'localhost',
    logLevel,
    databaseFile: env.DATABASE_FILE || 'data/notes.db',
    databaseUrl,
    uploadsFolder: env.UPLOADS_FOLDER || 'data/uploads',
  };
}
