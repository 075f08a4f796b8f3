/** The deep import `fastify/lib/errors`: the error classes by code. */
import { errorCodes } from '../index.ts';

export default errorCodes;
export { errorCodes as 'module.exports' };
