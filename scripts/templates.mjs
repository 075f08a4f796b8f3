// Builds the templates of create-ambit: in TypeScript as they are, and in JavaScript, which is the TypeScript without its
// types. Lines that had only types are removed, and Biome formats the rest, so that it reads as if written by hand.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/wasm-typescript';

const root = fileURLToPath(new URL('..', import.meta.url));
const templates = `${root}packages/create-ambit/templates`;
const runtimes = `${root}packages/create-ambit/runtimes`;
const target = `${root}packages/create-ambit/dist/templates`;

/** Files of a template that a runtime has no use for. */
const leftOut = { deno: ['tsconfig.json', '_biome.json'] };

/** What only the TypeScript variant has. */
const onlyTypeScript = /^(tsconfig\.json|.*\.d\.ts)$/;
/** Lines of the README and of CI that only the TypeScript variant has. */
const typeScriptLine = /typecheck|TypeScript/;

/** Writes both variants of each template to `dist/templates`, for Node, and for each other runtime that it has files for. */
export function buildTemplates() {
  rmSync(target, { recursive: true, force: true });
  for (const name of readdirSync(templates)) writeTemplate(name, findSources(`${templates}/${name}`));
  for (const runtime of readdirSync(runtimes))
    for (const name of readdirSync(`${runtimes}/${runtime}`)) {
      const sources = findSources(`${templates}/${name}`);
      for (const path of leftOut[runtime] ?? []) sources.delete(path);
      const own = findSources(`${runtimes}/${runtime}/${name}`);
      writeTemplate(`${name}-${runtime}`, new Map([...sources, ...own]));
    }
  format(`${target}`);
}

/** The files of a folder by their paths in it. */
function findSources(folder) {
  return new Map(listFiles(folder).map((path) => [path, `${folder}/${path}`]));
}

function writeTemplate(name, sources) {
  for (const [path, source] of sources) {
    copy(source, `${target}/${name}/typescript/${path}`);
    if (!onlyTypeScript.test(basename(path)))
      writeJavaScript(source, `${target}/${name}/javascript/${path.replace(/\.ts$/, '.js')}`);
  }
}

function listFiles(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => !path.split(/[\\/]/).includes('node_modules'));
}

function copy(source, file) {
  mkdirSync(dirname(file), { recursive: true });
  cpSync(source, file);
}

function writeJavaScript(source, file) {
  mkdirSync(dirname(file), { recursive: true });
  const text = readFileSync(source, 'utf8');
  if (source.endsWith('.ts')) writeFileSync(file, stripTypes(text));
  else if (basename(source) === 'package.json') writeFileSync(file, convertManifest(JSON.parse(text)));
  else writeFileSync(file, nameJavaScript(text));
}

/** Removes types from a source, and the lines that had nothing else. */
export function stripTypes(text) {
  const lines = text.split('\n');
  const { code } = transformSync(text, { mode: 'strip-only' });
  const kept = [];
  for (const [i, line] of code.split('\n').entries()) {
    const hadTypes = line.trim() === '' && lines[i].trim() !== '';
    if (!hadTypes) kept.push(line);
    else if (kept.at(-1)?.endsWith('*/')) removeDocComment(kept);
  }
  return kept
    .join('\n')
    .replace(/((?:from |import\()'\.{1,2}\/[^']*)\.ts'/g, "$1.js'")
    .trimStart();
}

/** Removes the comment at the end: the type that it describes is gone. */
function removeDocComment(lines) {
  lines.length = lines.findLastIndex((line) => line.trimStart().startsWith('/**'));
}

/** The package.json without the compiler and its declarations. */
function convertManifest(manifest) {
  const { typecheck: _, ...scripts } = manifest.scripts ?? {};
  const devDependencies = Object.fromEntries(
    Object.entries(manifest.devDependencies).filter(
      ([name]) => name !== 'typescript' && !name.startsWith('@types/'),
    ),
  );
  const isOnOldNode = manifest.name === 'minimal' && scripts.start === 'ambit start';
  const engines = isOnOldNode ? { node: '>=20.19.0' } : manifest.engines;
  return nameJavaScript(
    `${JSON.stringify({ ...manifest, engines, ...(manifest.scripts && { scripts }), devDependencies }, undefined, 2)}\n`,
  );
}

function nameJavaScript(text) {
  const lines = text.split('\n').filter((line) => !typeScriptLine.test(line));
  return lines.join('\n').replace(/\.ts\b/g, '.js');
}

function format(folder) {
  const command = [
    `${root}node_modules/@biomejs/biome/bin/biome`,
    'check',
    '--write',
    '--vcs-enabled=false',
    folder,
  ];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`the templates cannot be formatted\n${stdout}${stderr}`);
}
