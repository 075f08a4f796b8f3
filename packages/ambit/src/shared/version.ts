/** The version of this package. A test checks that it is that of package.json, because reading that file would slow down every import. */
export const version: string = '0.1.0';
