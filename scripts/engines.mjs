// Finds installed packages that do not support the oldest Node that we support, because npm would warn about each of them.
import semver from 'semver';

/**
 * @param lock The content of a package-lock.json. Optional dependencies are ignored: npm leaves out those that do not fit.
 * @param promised The range of versions that we support, as in `engines`.
 * @returns One line for each package that needs another version of Node.
 */
export function listUnfit(lock, promised) {
  const oldest = semver.minVersion(promised);
  return Object.entries(lock.packages)
    .filter(
      ([, { optional, engines }]) =>
        !optional && engines?.node !== undefined && !semver.satisfies(oldest, engines.node),
    )
    .map(
      ([path, { version, engines }]) =>
        `${path}@${version} wants node ${engines.node}, and we promise ${promised}`,
    );
}
