// What this package finds under the name.
exports.fastify = require('fastify');
