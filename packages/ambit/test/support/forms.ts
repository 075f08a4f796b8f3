/** Writes multipart bodies byte by byte, and looks for what uploads leave behind. */
import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export const boundary = 'test-boundary';
export const formHeaders = { 'content-type': `multipart/form-data; boundary=${boundary}` };

/** One part: its header lines, and its content. */
export interface Part {
  head: string | readonly string[];
  content: string | Buffer;
}

export function field(name: string, content: string | Buffer, ...more: string[]): Part {
  return { head: [`Content-Disposition: form-data; name="${name}"`, ...more], content };
}

export function file(
  name: string,
  filename: string,
  content: string | Buffer,
  type = 'application/octet-stream',
): Part {
  return {
    head: [`Content-Disposition: form-data; name="${name}"; filename="${filename}"`, `Content-Type: ${type}`],
    content,
  };
}

/** The bytes of a form. */
export function form(...parts: readonly Part[]): Buffer {
  return Buffer.concat([...parts.map(partBytes), Buffer.from(`--${boundary}--\r\n`)]);
}

/** The bytes of a form that stops inside the content of its last part. */
export function cutForm(...parts: readonly Part[]): Buffer {
  const whole = Buffer.concat(parts.map(partBytes));
  return whole.subarray(0, whole.length - 4);
}

function partBytes({ head, content }: Part): Buffer {
  const start = `--${boundary}\r\n${[head].flat().join('\r\n')}\r\n\r\n`;
  return Buffer.concat([Buffer.from(start), Buffer.from(content as string), Buffer.from('\r\n')]);
}

/** A folder for temporary folders, of one test. */
export class UploadFolder {
  readonly path: string = mkdtempSync(join(tmpdir(), 'ambit-uploads-test-'));

  constructor() {
    onTestFinished(() => rmSync(this.path, { recursive: true, force: true }));
  }

  /** The files and folders in it. */
  list(): string[] {
    return readdirSync(this.path, { recursive: true }).map(String);
  }

  /** The files in it that this process has open; none where the system does not tell. */
  openFiles(): string[] {
    const folder = '/proc/self/fd';
    return existsSync(folder)
      ? readdirSync(folder)
          .map(targetOf)
          .filter((path) => path.startsWith(this.path))
      : [];
  }
}

function targetOf(descriptor: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return '';
  }
}
