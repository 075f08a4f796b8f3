// Finds installed packages that do not support the oldest version of Node that we support. npm would warn about them.
import semver from 'semver';

/**
 * @param lock The content of a package-lock.json. Optional dependencies are ignored, because npm does not install those
 *   that do not support the version of Node.
 * @param promised The range of versions that we support, as in `engines`.
 * @returns One line for each package that needs another version of Node.
 */
export function listUnsupported(lock, supportedRange) {
  const oldest = semver.minVersion(supportedRange);
  return Object.entries(lock.packages)
    .filter(
      ([, { optional, engines }]) =>
        !optional && engines?.node !== undefined && !semver.satisfies(oldest, engines.node),
    )
    .map(
      ([path, { version, engines }]) =>
        `${path}@${version} needs node ${engines.node}, but we support ${supportedRange}`,
    );
}
