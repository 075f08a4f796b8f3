// What `require('fastify')` and `import 'fastify'` give: the same module for both. `import` finds the named exports by reading this
// text. The declarations are beside it, in entry.d.cts.
const fastify = require('./dist/index.cjs');

module.exports = fastify;
module.exports.fastify = fastify;
module.exports.default = fastify;
module.exports.errorCodes = fastify.errorCodes;
module.exports.LogController = fastify.LogController;
