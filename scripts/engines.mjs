// Finds installed packages that do not take the oldest Node that we promise: npm would warn about each of them.
import semver from 'semver';

/**
 * @param lock What a package-lock.json holds. What only development needs is left out: some of it is bundled, and runs on older versions, too.
 * @param promised The range of versions that we promise, as in `engines`.
 * @returns One line for each package that wants another Node.
 */
export function listUnfit(lock, promised) {
  const oldest = semver.minVersion(promised);
  return Object.entries(lock.packages)
    .filter(
      ([, { dev, engines }]) =>
        !dev && engines?.node !== undefined && !semver.satisfies(oldest, engines.node),
    )
    .map(
      ([path, { version, engines }]) =>
        `${path}@${version} wants node ${engines.node}, and we promise ${promised}`,
    );
}
