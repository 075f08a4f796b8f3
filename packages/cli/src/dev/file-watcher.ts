/** Watches the files that an application has loaded. It watches their folders, because editors replace files. */
import { type FSWatcher, statSync, watch } from 'node:fs';
import { basename, dirname, extname, join, sep } from 'node:path';

/** How long to wait after an event, because saving a file takes several steps and each is an event. */
const settleMs = 20;
const sources = new Set(['.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.json', '.node', '.wasm']);

export class FileWatcher {
  /** A text for each file that differs between its versions. */
  readonly #versions = new Map<string, string>();
  readonly #folders = new Map<string, FSWatcher>();
  /** Files in folders that do not exist. */
  readonly #missing = new Set<string>();
  readonly #onChange: (file: string) => void;
  #timer: NodeJS.Timeout | undefined;
  /** Whether changes of files that were not loaded count too. If the application does not boot, such a file may have been missing. */
  watchesAll = false;

  /** @param onChange Called with one of the files that have changed. */
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
    // A nearer folder may be created in the meantime.
    do nearest = this.#watchNearestFolder(file);
    while (nearest !== this.#watchNearestFolder(file));
    if (nearest === dirname(file)) this.#check(file);
    else this.#missing.add(file);
  }

  /** @returns The nearest existing folder above a file. */
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
        this.#check(changed);
        this.#checkMissing(changed);
      });
      watcher.on('error', () => watcher.close());
      this.#folders.set(folder, watcher);
      return true;
    } catch {
      // The folder does not exist.
      return false;
    }
  }

  /** Checks a new folder, which may already contain a missing file. */
  #checkMissing(folder: string): void {
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

  #check(file: string): void {
    const isKnown = this.#versions.has(file);
    if (!isKnown && !(this.watchesAll && sources.has(extname(file)))) return;
    const version = versionOf(file);
    if (version === this.#versions.get(file)) return;
    if (isKnown) this.#versions.set(file, version);
    // The file was removed. An editor probably writes it again. If not, loading it would only fail.
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
