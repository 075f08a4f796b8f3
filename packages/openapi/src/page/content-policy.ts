/** The content security policy of the page: it allows its own files, and requests to the servers that the document names. */
import type { DocumentOptions } from '../options.ts';

/** Both pages set styles by script, and their styles contain small images. */
const fixedDirectives = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
];

export function contentPolicy({ servers = [] }: DocumentOptions): string {
  const origins = servers.flatMap(({ url, variables = {} }) => {
    const filled = url.replace(/\{([^}]+)\}/g, (_, name: string) => variables[name]?.default ?? '');
    const isAbsolute = /^https?:\/\//.test(filled) && URL.canParse(filled);
    return isAbsolute ? [new URL(filled).origin] : [];
  });
  return [...fixedDirectives, ["connect-src 'self'", ...new Set(origins)].join(' ')].join('; ');
}
