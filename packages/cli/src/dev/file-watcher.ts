/** Watches the files that an application has loaded. Folders are watched, because editors replace files. */
import { type FSWatcher, statSync, watch } from 'node:fs';
import { basename, dirname, extname, join, sep } from 'node:path';

/** Saving a file takes several steps, and each is an event. */
const settleMs = 20;
const sources = new Set(['.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.json', '.node', '.wasm']);

export class FileWatcher {
  /** What tells two versions of a file apart. */
  readonly #versions = new Map<string, string>();
  readonly #folders = new Map<string, FSWatcher>();
  /** Files in folders that do not exist. */
  readonly #missing = new Set<string>();
  readonly #onChange: (file: string) => void;
  #timer: NodeJS.Timeout | undefined;
  /** Whether a file that was not loaded counts, too: it may be what was missing. */
  watchesAll = false;

  /** @param onChange Is called with one of the files that have changed. */
  constructor(onChange: (file: string) => void) {
    this.#onChange = onChange;
  }

  add(file: string): void {
    if (this.#versions.has(file) || file.includes('node_modules')) return;
    this.#versions.set(file, versionOf(file));
    this.#watchFolder(dirname(file));
  }

  /** Watches for a file that does not exist, in a folder that may not exist either. */
  addMissing(file: string): void {
    if (file.includes('node_modules')) return;
    this.#versions.set(file, '');
    let nearest: string;
    // A nearer one may be made meanwhile.
    do nearest = this.#watchNearestFolder(file);
    while (nearest !== this.#watchNearestFolder(file));
    if (nearest === dirname(file)) this.#look(file);
    else this.#missing.add(file);
  }

  /** @returns The folder nearest to a file that exists. */
  #watchNearestFolder(file: string): string {
    const folder = dirname(file);
    return this.#watchFolder(folder) || folder === file ? folder : this.#watchNearestFolder(folder);
  }

  /** @returns Whether the folder exists. */
  #watchFolder(folder: string): boolean {
    if (this.#folders.has(folder)) return true;
    try {
      const watcher = watch(folder, (_event, name) => {
        if (name === null) return;
        const changed = join(folder, basename(name));
        this.#look(changed);
        this.#lookForMissing(changed);
      });
      watcher.on('error', () => watcher.close());
      this.#folders.set(folder, watcher);
      return true;
    } catch {
      // A folder that has gone cannot change any more.
      return false;
    }
  }

  /** A folder that is new may have the file already. */
  #lookForMissing(folder: string): void {
    for (const file of [...this.#missing]) {
      if (!file.startsWith(folder + sep)) continue;
      this.#missing.delete(file);
      this.addMissing(file);
    }
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const watcher of this.#folders.values()) watcher.close();
  }

  #look(file: string): void {
    const isKnown = this.#versions.has(file);
    if (!isKnown && !(this.watchesAll && sources.has(extname(file)))) return;
    const version = versionOf(file);
    if (version === this.#versions.get(file)) return;
    if (isKnown) this.#versions.set(file, version);
    // Removed: an editor is about to write it again. If it is not, loading it would only fail.
    if (version === '') return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#onChange(file), settleMs);
  }
}

/** @returns An empty text for a file that does not exist. */
function versionOf(file: string): string {
  try {
    const { mtimeMs, size, ino } = statSync(file);
    return `${mtimeMs} ${size} ${ino}`;
  } catch {
    return '';
  }
}
