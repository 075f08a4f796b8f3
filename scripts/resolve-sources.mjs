// Lets Node load the packages of this repository from their sources, without a build. Node 24 and later remove the types.
//
//   node --import ./scripts/resolve-sources.mjs examples/encapsulation/server.mjs
import { registerHooks } from 'node:module';
import { packageSources } from './package-sources.mjs';

registerHooks({
  resolve(specifier, context, nextResolve) {
    const source = packageSources.get(specifier);
    if (source !== undefined) return { url: source.href, format: 'module-typescript', shortCircuit: true };
    const resolved = nextResolve(specifier, context);
    if (/\/packages\/[^/]+\/dist\//.test(resolved.url)) throw new Error(`${resolved.url} is of a build`);
    return resolved;
  },
});
