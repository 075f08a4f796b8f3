/** The configuration from the environment, except `PORT` and `HOST`, which the command `ambit` reads. */
export interface Config {
  logLevel: string;
  /** A file of SQLite, or `:memory:`. */
  databaseFile: string;
  /** If it is set, the database is Postgres. */
  databaseUrl: string | undefined;
  /** The folder of the files that users attach to notes. */
  uploadsFolder: string;
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
  return {
    logLevel,
    databaseFile: env.DATABASE_FILE || 'data/notes.db',
    databaseUrl,
    uploadsFolder: env.UPLOADS_FOLDER || 'data/uploads',
  };
}
