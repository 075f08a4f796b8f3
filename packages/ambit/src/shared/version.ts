/** The version of this package, as its package.json has it: a test holds the two together. Reading the file would cost every import. */
export const version: string = '0.1.0';
