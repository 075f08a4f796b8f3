// Builds the templates of create-ambit: the TypeScript variant is a copy, and the JavaScript variant is the TypeScript
// code without types. Lines that had only types are removed, and Biome formats the rest, so that it reads as if written
// by hand.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { transformSync } from '@swc/wasm-typescript';
import { root } from './steps.mjs';

const templates = `${root}packages/create-ambit/templates`;
const runtimes = `${root}packages/create-ambit/runtimes`;
const target = `${root}packages/create-ambit/dist/templates`;

/** Files of a template that a runtime does not need. */
const excludedFiles = {
  deno: ['tsconfig.json', '_biome.json'],
  cloudflare: [
    '.dockerignore',
    '.env.example',
    'Dockerfile',
    // The template minimal has them in the folder `src`, which wrangler watches.
    'app.ts',
    'app.test.ts',
    'src/config.ts',
    'src/database/migrations.ts',
    'src/database/postgres.ts',
    'src/database/sqlite.ts',
    'test/database.test.ts',
    'test/events.test.ts',
  ],
};

/** Files that only the TypeScript variant has. */
const onlyTypeScript = /^(tsconfig\.json|.*\.d\.ts)$/;
/** Lines of the README and of CI that only the TypeScript variant has. */
const typeScriptLine = /typecheck|TypeScript/;

/** Lines of the sources that only Node has, in the templates of other runtimes: they cannot measure the event loop. */
const nodeLine = /\boverload: true/;

/** Writes both variants of each template to `dist/templates`, for Node and for each runtime in the folder `runtimes`. */
export function buildTemplates() {
  rmSync(target, { recursive: true, force: true });
  for (const name of readdirSync(templates)) writeTemplate(name, findSources(`${templates}/${name}`));
  for (const runtime of readdirSync(runtimes))
    for (const name of readdirSync(`${runtimes}/${runtime}`)) {
      const sources = findSources(`${templates}/${name}`);
      for (const path of excludedFiles[runtime] ?? []) sources.delete(path);
      const own = findSources(`${runtimes}/${runtime}/${name}`);
      writeTemplate(`${name}-${runtime}`, new Map([...sources, ...own]), withoutNodeLines);
    }
  format(target);
}

function findSources(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/(?:^|[\\/])node_modules(?:[\\/]|$)/.test(entry.parentPath))
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(files.map((file) => [file.slice(folder.length + 1), file]));
}

/** @param adapt Changes the text of each file. */
function writeTemplate(name, sources, adapt = (text) => text) {
  const write = (path, text) => {
    const file = `${target}/${name}/${path}`;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  for (const [path, source] of sources) {
    const text = adapt(readFileSync(source, 'utf8'));
    write(`typescript/${path}`, text);
    if (!onlyTypeScript.test(basename(path)))
      write(`javascript/${path.replace(/\.ts$/, '.js')}`, convertToJavaScript(path, text));
  }
}

function convertToJavaScript(path, text) {
  if (path.endsWith('.ts')) return stripTypes(text);
  if (basename(path) === 'package.json') return convertManifest(JSON.parse(text));
  return adaptToJavaScript(text);
}

/** Removes types from a source, the lines that had nothing else, and the doc comments of these. */
function stripTypes(text) {
  const lines = text.split('\n');
  const { code } = transformSync(text, { mode: 'strip-only' });
  const left = [];
  for (const [i, line] of code.split('\n').entries()) {
    const hadOnlyTypes = line.trim() === '' && lines[i].trim() !== '';
    if (!hadOnlyTypes) left.push(line);
    else if (left.at(-1)?.endsWith('*/'))
      left.length = left.findLastIndex((each) => each.trimStart().startsWith('/**'));
  }
  return left
    .join('\n')
    .replace(/((?:from |import\()'\.{1,2}\/[^']*)\.ts'/g, "$1.js'")
    .trimStart();
}

/** The package.json without the compiler and its declarations. */
function convertManifest(manifest) {
  const { typecheck: _, ...scripts } = manifest.scripts ?? {};
  const isLeft = ([name]) => name !== 'typescript' && !name.startsWith('@types/');
  const devDependencies = Object.fromEntries(Object.entries(manifest.devDependencies).filter(isLeft));
  const isOnOldNode = manifest.name === 'minimal' && scripts.start === 'ambit start';
  const engines = isOnOldNode ? { node: '>=20.19.0' } : manifest.engines;
  const converted = { ...manifest, engines, ...(manifest.scripts && { scripts }), devDependencies };
  return adaptToJavaScript(`${JSON.stringify(converted, undefined, 2)}\n`);
}

/** Removes lines that only Node has, and the comment above each. */
function withoutNodeLines(text) {
  const lines = text.split('\n');
  return lines.filter((line, i) => !nodeLine.test(line) && !nodeLine.test(lines[i + 1] ?? '')).join('\n');
}

function adaptToJavaScript(text) {
  const lines = text.split('\n').filter((line) => !typeScriptLine.test(line));
  return lines.join('\n').replace(/\.ts\b/g, '.js');
}

function format(folder) {
  const biome = `${root}node_modules/@biomejs/biome/bin/biome`;
  const args = [biome, 'check', '--write', '--vcs-enabled=false', folder];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`the templates cannot be formatted\n${stdout}${stderr}`);
}
