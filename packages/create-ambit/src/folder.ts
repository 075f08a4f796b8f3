/** The folder of the new application: its name, and whether it may be written to. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { basename, resolve } from 'node:path';
import { UsageError } from './requirements.ts';

/** Entries that the folder may already contain, because no template writes them. */
const harmless = new Set(['.git', '.DS_Store', '.idea', '.vscode', 'LICENSE', 'Thumbs.db']);

const maxNameLength = 214;

/** @returns A description of the problem with a folder; `undefined` if an application can be created in it. */
export function findFault(folder: string): string | undefined {
  if (folder.trim() === '') return 'the folder needs a name';
  const name = nameOf(folder);
  const reason = findNameFault(name);
  if (reason !== undefined) {
    const better = suggestName(name);
    const hint = better === '' ? '' : `. Try \`${better}\``;
    return `npm does not accept \`${name}\` as the name of a package: ${reason}${hint}`;
  }
  return findContent(folder);
}

/** @throws {UsageError} if an application cannot be created in the folder. */
export function checkFolder(folder: string): void {
  const fault = findFault(folder);
  if (fault !== undefined) throw new UsageError(fault);
}

/** The name of the package in a folder: the last part of its path. */
function nameOf(folder: string): string {
  return basename(resolve(folder));
}

/** The rules of npm for new packages. */
function findNameFault(name: string): string | undefined {
  if (name === '') return 'it is empty';
  if (name.length > maxNameLength) return `it has more than ${maxNameLength} characters`;
  const invalid = findInvalidCharacters(name);
  if (/[A-Z]/.test(name)) return `it has capital letters${invalid === '' ? '' : `, and ${invalid}`}`;
  if (/^[._-]/.test(name)) return `it begins with \`${name[0]}\``;
  if (invalid !== '')
    return `it has other characters than a to z, 0 to 9, \`-\`, \`_\` and \`.\`: ${invalid}`;
  if (name === 'node_modules' || name === 'favicon.ico') return 'the name is reserved';
  if (builtinModules.includes(name)) return 'a module of Node has this name';
  return undefined;
}

/** @returns The characters that no name can have, each once; empty if there are none. */
function findInvalidCharacters(name: string): string {
  const characters = new Set(name.match(/[^a-zA-Z0-9._-]/gu));
  return [...characters].map((character) => (character === ' ' ? 'a space' : `\`${character}\``)).join(', ');
}

function suggestName(name: string): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{Mark}/gu, '')
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+|[._-]+$/g, '')
    .slice(0, maxNameLength);
  if (words === '') return '';
  return findNameFault(words) === undefined ? words : `${words}-app`;
}

function findContent(folder: string): string | undefined {
  const path = resolve(folder);
  if (!existsSync(path)) return undefined;
  if (!statSync(path).isDirectory()) return `\`${folder}\` is a file. Give the folder another name`;
  const entries = readdirSync(path).filter((entry) => !harmless.has(entry));
  if (entries.length === 0) return undefined;
  const some = entries.slice(0, 3).join(', ');
  const rest = entries.length > 3 ? ` and ${entries.length - 3} more` : '';
  return `the folder \`${folder}\` is not empty: it has ${some}${rest}. Give another folder, or move these files away`;
}
