/** The version of the package, as a part of the code: reading package.json takes longer than `ambit --version` itself. */
export const version = '0.1.0';
