import type { AmbitOptions } from 'ambit';

declare const compiled: NonNullable<AmbitOptions['compiled']>;
export default compiled;
