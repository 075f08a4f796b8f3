// What the environment decides. It is checked once, before anything starts.

/**
 * @param {NodeJS.ProcessEnv} env
 * @throws if a variable is missing or makes no sense, so that the replica does not start with it.
 */
export function readConfig(env) {
  return {
    host: env.HOST || 'localhost',
    port: readNumber(env, 'PORT', 3000),
    databaseUrl: readUrl(env, 'DATABASE_URL', ['postgres:', 'postgresql:']),
    redisUrl: readUrl(env, 'REDIS_URL', ['redis:', 'rediss:']),
    // The old secret may stand behind the new one, after a comma, until its sessions have ended.
    sessionSecrets: readSecrets(env, 'SESSION_SECRET'),
    // The addresses of the balancer. Anybody else could choose an address, and with it a rate limit of their own.
    trustProxy: env.TRUST_PROXY ? env.TRUST_PROXY.split(',') : false,
    requestsPerMinute: readNumber(env, 'REQUESTS_PER_MINUTE', 600),
    // How long a replica serves after SIGTERM, until the balancer has noticed.
    delayMs: readNumber(env, 'CLOSE_DELAY_MS', 2_000),
    graceMs: readNumber(env, 'CLOSE_GRACE_MS', 10_000),
    logLevel: env.LOG_LEVEL || 'info',
  };
}

function readNumber(env, name, preset) {
  const value = Number(env[name] || preset);
  if (!Number.isInteger(value) || value < 0) throw new Error(`${name} must be a number, not "${env[name]}"`);
  return value;
}

function readUrl(env, name, protocols) {
  const url = env[name];
  // The value is not repeated: it contains a password.
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
