// A worker without a framework.
export default {
  fetch: async (request) => Response.json({ id: 7, ...(await request.json()) }),
};
