// Sends the requests of the tests with undici's fetch and prints the answers: client.mjs <url> kept|chunked
import { fetch } from 'undici';

const [, , base, way] = process.argv;

async function send(target, method, body) {
  const response = await fetch(`${base}${target}`, { method, body, duplex: 'half' });
  console.log(await response.text());
}

if (way === 'chunked') {
  await send('/chunked', 'POST', new Blob(['hello']).stream());
} else {
  await send('/1?q=a%20b', 'GET');
  await send('/2', 'POST', 'hello');
  await send('/3', 'PUT', new Uint8Array(100_000));
  await send('/4', 'DELETE');
  await send('/5', 'POST', new URLSearchParams({ a: '1', b: '2 + 3' }));
}
