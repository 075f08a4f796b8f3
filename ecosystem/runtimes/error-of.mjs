/** The error that a response of the application reports. */
export async function errorOf(response) {
  const { code, message } = await response.json();
  return Object.assign(new Error(message), { code });
}
