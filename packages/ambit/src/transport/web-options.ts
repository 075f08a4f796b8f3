/** What do `Bun.serve` and `Deno.serve` refuse? Options that they do not have, and addresses, with the errors of node. */

import { isIP } from 'node:net';
import { deno } from '../shared/js-runtime.ts';
import { isError } from '../shared/thrown-values.ts';
import { RuntimeUnsupported } from '../types/errors.ts';
import type { AmbitOptions, ListenOptions } from '../types/options.ts';

/** The runtimes with a server for web requests. */
export type WebRuntime = 'Bun' | 'Deno';

/** What errors suggest for what the server of a runtime lacks. */
export const nodeInstead = "use `engine: 'node'`, which serves with node:http of the runtime";
const hint = `Leave it out, or ${nodeInstead}`;

/** Options of the application that neither runtime has. */
const applicationOptions = [
  'http',
  'serverFactory',
  'clientErrorHandler',
  'connectionTimeout',
  'headersTimeout',
  'requestTimeout',
  'maxRequestsPerSocket',
] as const;

const listenNames = ['backlog', 'exclusive', 'readableAll', 'writableAll', 'fd'] as const;

/** The TLS options that the servers have. */
const tlsNames: Readonly<Record<WebRuntime, readonly string[]>> = {
  Bun: ['key', 'cert', 'ca', 'passphrase', 'ciphers', 'requestCert', 'rejectUnauthorized'],
  Deno: ['key', 'cert'],
};

/** The longest idle timeout that Bun accepts. */
const maxIdleMs = 255_000;

/** @throws {RuntimeUnsupported} for an option that the server of the runtime lacks: otherwise, a limit of the application would have no effect. */
export function checkWebOptions(runtime: WebRuntime, options: AmbitOptions, listen: ListenOptions): void {
  for (const name of applicationOptions) if (options[name]) refuse(`the option \`${name}\``);
  if (options.http2)
    refuse(
      'the option `http2`',
      runtime === 'Deno'
        ? `Deno.serve speaks HTTP/2 without it, over TLS and in clear text: leave it out, or ${nodeInstead}`
        : hint,
    );
  if (options.forceCloseConnections === false) refuse('the option `forceCloseConnections: false`');
  checkKeepAlive(runtime, options.keepAliveTimeout);
  checkTls(runtime, options.https);
  for (const name of listenNames)
    if (listen[name] !== undefined && listen[name] !== false) refuse(`the option \`${name}\` of listen`);
  if (runtime === 'Deno' && listen.ipv6Only) refuse('the option `ipv6Only` of listen');
  // Without the flag, Deno would end the process.
  if (listen.reusePort && deno !== undefined && deno.listenDatagram === undefined)
    refuse('the option `reusePort` of listen', 'Start Deno with the flag `--unstable-net`');
}

function checkKeepAlive(runtime: WebRuntime, timeoutMs: number | null | undefined): void {
  if (!timeoutMs) return;
  if (runtime === 'Deno') refuse('the option `keepAliveTimeout`');
  if (timeoutMs > maxIdleMs)
    refuse(`\`keepAliveTimeout: ${timeoutMs}\``, `Bun waits ${maxIdleMs} at most, or without end with 0`);
}

function checkTls(runtime: WebRuntime, https: AmbitOptions['https']): void {
  if (!https) return;
  const tlsOptions = https === true ? {} : (https as Readonly<Record<string, unknown>>);
  for (const [name, value] of Object.entries(tlsOptions)) {
    if (value === undefined) continue;
    if (!tlsNames[runtime].includes(name)) refuse(`the option \`https.${name}\``);
    if (runtime === 'Deno' && Array.isArray(value)) refuse(`a list in the option \`https.${name}\``);
  }
  if (tlsOptions.key === undefined || tlsOptions.cert === undefined)
    refuse('the option `https` without `key` and `cert`', 'Set both');
}

function refuse(feature: string, instead = hint): never {
  throw new RuntimeUnsupported(feature, instead);
}

/** What node says about the errors of the system. */
const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'address already in use',
  EADDRNOTAVAIL: 'address not available',
  EACCES: 'permission denied',
  ENOENT: 'no such file or directory',
};

/**
 * @param listen What the server could not open: `host` is the address.
 * @returns An error with the code, the message and the fields of node; `error` itself if it is of another kind.
 */
export function listenError(error: unknown, { host = '', port, path }: ListenOptions): unknown {
  if (!isError(error)) return error;
  const { code, message } = error as Error & { code?: string };
  if (path === undefined && isIP(host) === 0 && (code === 'EINVAL' || message.includes('lookup address')))
    return Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`, { cause: error }), {
      code: 'ENOTFOUND',
      syscall: 'getaddrinfo',
      hostname: host,
    });
  const reason = reasons[String(code)];
  if (reason === undefined) return error;
  const address = path ?? host;
  const place = path === undefined && Number(port) > 0 ? `${address}:${port}` : address;
  return Object.assign(new Error(`listen ${code}: ${reason} ${place}`, { cause: error }), {
    code,
    syscall: 'listen',
    address,
    port: path === undefined ? Number(port) : undefined,
  });
}
