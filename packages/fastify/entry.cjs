// The facade as a CommonJS module, for tools that do not know the condition `module-sync`: they find named exports by reading
// this text. Node itself loads the ES module, by `require` as well. The declarations beside it, entry.d.cts, hold for both.
const fastify = require('./dist/index.js');

module.exports = fastify;
module.exports.fastify = fastify;
module.exports.default = fastify;
module.exports.errorCodes = fastify.errorCodes;
module.exports.LogController = fastify.LogController;
