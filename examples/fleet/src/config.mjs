// Reads the configuration from the environment, and validates it before the replica starts.

/**
 * @param {NodeJS.ProcessEnv} env
 * @throws if a variable is missing or invalid, so that the replica does not start.
 */
export function readConfig(env) {
  return {
    host: env.HOST || 'localhost',
    port: readNumber(env, 'PORT', 3000),
    databaseUrl: readUrl(env, 'DATABASE_URL', ['postgres:', 'postgresql:']),
    redisUrl: readUrl(env, 'REDIS_URL', ['redis:', 'rediss:']),
    // To change the secret, set the new and the old one, separated by a comma, until the old sessions have ended.
    sessionSecrets: readSecrets(env, 'SESSION_SECRET'),
    // The addresses of the load balancer. Other clients could forge their address and so avoid the rate limit.
    trustProxy: env.TRUST_PROXY ? env.TRUST_PROXY.split(',') : false,
    requestsPerMinute: readNumber(env, 'REQUESTS_PER_MINUTE', 600),
    // How long a replica serves requests as before after SIGTERM, until the load balancer has noticed.
    delayMs: readNumber(env, 'CLOSE_DELAY_MS', 2_000),
    graceMs: readNumber(env, 'CLOSE_GRACE_MS', 10_000),
    logLevel: env.LOG_LEVEL || 'info',
  };
}

function readNumber(env, name, defaultValue) {
  const value = Number(env[name] || defaultValue);
  if (!Number.isInteger(value) || value < 0) throw new Error(`${name} must be a number, not "${env[name]}"`);
  return value;
}

function readUrl(env, name, protocols) {
  const url = env[name];
  // The message does not contain the value, because it may contain a password.
  if (!URL.canParse(url ?? '') || !protocols.includes(new URL(url).protocol))
    throw new Error(`${name} must begin with ${protocols[0]}//`);
  return url;
}

function readSecrets(env, name) {
  const secrets = (env[name] ?? '').split(',');
  if (secrets.some((secret) => secret.length < 32))
    throw new Error(`${name} must have at least 32 characters`);
  return secrets;
}
