import { ambit } from 'ambit';
import * as compiled from './compiled-ambit.mjs';
import { makeApp } from './make-app.mjs';

export default makeApp(ambit, { compiled });
