// Imports the modules of Node that a request names, and responds with the errors of those that the runtime does not have.
export default {
  async fetch(request) {
    const missing = [];
    for (const name of new URL(request.url).searchParams.getAll('name')) {
      try {
        await import(`node:${name}`);
      } catch ({ message }) {
        missing.push(message);
      }
    }
    return Response.json(missing);
  },
};
