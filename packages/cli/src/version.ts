/** The version of the package. It is a constant, because reading package.json takes longer than the rest of `ambit --version`. */
export const version = '0.1.0';
