// Owns how the sources of a package become the modules that are published: few, since each file costs every process that starts.
import { readdirSync, rmSync } from 'node:fs';
import { isAbsolute, join, posix, sep } from 'node:path';
import { rolldown } from 'rolldown';
import { requireExternals } from './require-externals.mjs';

/**
 * The entrances of each package, as paths below `src` and `dist`. Those of one bundle share modules, by a file more where neither
 * is a part of the other; those of two share nothing.
 */
const packages = {
  'json-serializer': [['index', 'load']],
  'http-engine': [['index']],
  ambit: [['index'], ['client/client']],
  fastify: [['index', 'lib/errors'], ['lib/reply'], ['lib/symbols']],
};

/** What two bundles of a package may each have a copy of: functions that keep nothing. */
const copied = new Set(
  ['call-body', 'call-methods', 'fill-path'].map((name) => `packages/ambit/src/kit/${name}.ts`),
);

/** Bundles each package, from the root of the repository. */
export async function bundlePackages() {
  for (const [name, bundles] of Object.entries(packages)) await bundlePackage(`packages/${name}`, bundles);
}

async function bundlePackage(folder, bundles) {
  const chunks = [];
  for (const entrances of bundles) chunks.push(...(await writeBundle(folder, entrances)));
  checkCopies(chunks);
  removeOthers(
    join(folder, 'dist'),
    new Set(chunks.flatMap(({ fileName }) => [fileName, `${fileName}.map`])),
  );
}

/** Own modules by `import`, since they are ES modules; so are the packages of this repository, and nothing else that we use. */
function isRequired(id) {
  return isExternal(id) && !/^(@ambit\/|ambit$)/.test(id);
}

function isExternal(id) {
  return !id.startsWith('.') && !isAbsolute(id);
}

async function writeBundle(folder, entrances) {
  const bundle = await rolldown({
    input: Object.fromEntries(entrances.map((name) => [name, join(folder, 'src', `${name}.ts`)])),
    platform: 'node',
    external: isExternal,
    transform: { target: 'node20.19' },
    onLog: (level, { message }) => {
      if (level === 'warn') throw new Error(`${folder}: ${message}`);
    },
  });
  const { output } = await bundle.write({
    dir: join(folder, 'dist'),
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'shared/[name].js',
    // Stack traces are read by people, and so is the code that they point at.
    keepNames: true,
    minify: false,
    minifyInternalExports: false,
    sourcemap: true,
    // The sources are published as well.
    sourcemapExcludeSources: true,
    plugins: [requireExternals(isRequired)],
  });
  await bundle.close();
  return output.filter(({ type }) => type === 'chunk');
}

/** State must not exist twice in one process. */
export function checkCopies(chunks) {
  const owners = new Map();
  for (const { fileName, moduleIds } of chunks) {
    for (const id of moduleIds.filter((id) => id.endsWith('.ts'))) {
      const file = posix.relative(process.cwd(), id.replaceAll(sep, posix.sep));
      if (owners.has(file) && !copied.has(file))
        throw new Error(`${file} is in two modules: ${owners.get(file)} and ${fileName}`);
      owners.set(file, fileName);
    }
  }
}

/** Modules of builds before this one, which would be published with it. */
function removeOthers(dist, written) {
  for (const name of readdirSync(dist, { recursive: true })) {
    const file = name.replaceAll(sep, posix.sep);
    if (/\.js(\.map)?$/.test(file) && !written.has(file)) rmSync(join(dist, name));
  }
}
