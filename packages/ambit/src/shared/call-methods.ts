/** The methods that `inject` and the typed client have a call for. */
export const callMethods = ['get', 'post', 'put', 'patch', 'delete', 'options', 'head'] as const;
