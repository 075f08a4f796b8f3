module.exports = require('/work/main/packages/fastify/dist/index.js')
