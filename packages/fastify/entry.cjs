// The module for both `require('fastify')` and `import 'fastify'`. For `import`, Node finds the named exports by reading the text of this
// file. Its declarations are in entry.d.cts.
const fastify = require('./dist/index.cjs');

module.exports = fastify;
module.exports.fastify = fastify;
module.exports.default = fastify;
module.exports.errorCodes = fastify.errorCodes;
module.exports.LogController = fastify.LogController;
