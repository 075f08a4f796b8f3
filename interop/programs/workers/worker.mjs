import { ambit } from 'ambit';
import * as compiled from './compiled.mjs';
import { makeApp } from './notes.mjs';

export default makeApp(ambit, compiled);
