// The facade as a CommonJS module whose named exports static analysis can see, for the conformance runner.
const fastify = require('./dist/index.js');

module.exports = fastify;
module.exports.fastify = fastify;
module.exports.default = fastify;
module.exports.errorCodes = fastify.errorCodes;
module.exports.LogController = fastify.LogController;
