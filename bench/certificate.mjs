// Reads the key and the certificate for servers over TLS, which are those of the tests.
import { readFileSync } from 'node:fs';

export function readCertificate() {
  const file = new URL('../packages/ambit/test/fixtures/certificate.ts', import.meta.url);
  const [key, cert] = readFileSync(file, 'utf8').match(/-----BEGIN [^`]*?-----END [A-Z ]*-----/g);
  return { key, cert };
}
