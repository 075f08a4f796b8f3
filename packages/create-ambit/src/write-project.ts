/** Writes a template to a folder, and can remove it again. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type PackageManager, yarnSettings } from './package-manager.ts';

/** An application that was written to a folder. */
export interface Project {
  path: string;
  /** Removes all that is new in the folder, and the folder if it is new. */
  remove(): void;
}

/** Files that have another name in the package, because npm, Git or Biome would use them there. */
const renamed: Record<string, string> = { _gitignore: '.gitignore', '_biome.json': 'biome.json' };

/**
 * Matches files in which `{{…}}` is replaced with a value. Source files contain no placeholders, so that they can be checked without
 * changes.
 */
const hasPlaceholders = /(\.md|\.yml|\.jsonc|Dockerfile|\.dockerignore)$/;

/**
 * @param template The folder of the template.
 * @param folder The folder of the application. It is created if it does not exist.
 * @throws Errors of the file system. The folder is then restored.
 */
export function writeProject(template: string, folder: string, packageManager: PackageManager): Project {
  const path = resolve(folder);
  const before = new Set(existsSync(path) ? readdirSync(path) : []);
  const firstNewFolder = mkdirSync(path, { recursive: true });
  const project = { path, remove: () => removeNew(path, before, firstNewFolder) };
  try {
    const { name: _, settings, ...commands } = packageManager;
    const installFiles = ['package.json', commands.lockFile, settings]
      .filter((file) => file !== '')
      .join(' ');
    const values = { ...commands, settings, installFiles, name: basename(path) };
    if (settings !== '') writeFileSync(join(path, settings), yarnSettings);
    writeFolder(template, path, values);
    return project;
  } catch (error) {
    project.remove();
    throw error;
  }
}

/** Copies a folder with its files. Yarn runs this program from an archive, in which `cpSync` and a recursive `readdirSync` do not work. */
function writeFolder(template: string, path: string, values: Record<string, string>): void {
  for (const entry of readdirSync(template, { withFileTypes: true })) {
    const source = join(template, entry.name);
    if (entry.isDirectory()) writeFolder(source, join(path, entry.name), values);
    else writeEntry(source, path, values);
  }
}

function writeEntry(source: string, folder: string, values: Record<string, string>): void {
  const file = basename(source);
  const target = join(folder, renamed[file] ?? file);
  mkdirSync(dirname(target), { recursive: true });
  if (file === 'package.json') {
    const manifest: Record<string, unknown> = JSON.parse(readFileSync(source, 'utf8'));
    writeFileSync(target, `${JSON.stringify({ ...manifest, name: values.name }, undefined, 2)}\n`);
  } else {
    const text = readFileSync(source, 'utf8');
    writeFileSync(target, hasPlaceholders.test(file) ? fill(text, values) : text);
  }
}

/** Replaces the placeholders of a text. A line that ends with an empty value is left out. */
function fill(text: string, values: Record<string, string>): string {
  const lines = text.split('\n').filter((line) => {
    const [, name] = /\{\{(\w+)\}\}$/.exec(line) ?? [];
    return name === undefined || values[name] !== '';
  });
  return lines.join('\n').replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`there is no value for {{${name}}}`);
    return value;
  });
}

function removeNew(path: string, before: ReadonlySet<string>, firstNewFolder: string | undefined): void {
  if (firstNewFolder !== undefined) rmSync(firstNewFolder, { recursive: true, force: true });
  else
    for (const entry of readdirSync(path).filter((entry) => !before.has(entry)))
      rmSync(join(path, entry), { recursive: true, force: true });
}
