/** A worker that sends bytes and the end of its side at once. It runs in a thread of its own, so that the server can be stopped until both have arrived. */
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { parentPort } from 'node:worker_threads';

parentPort.on('message', ({ port, isSecure, text, sent }) => {
  const hasSent = new Int32Array(sent);
  const options = { port, host: '127.0.0.1', rejectUnauthorized: false, allowHalfOpen: true };
  const socket = isSecure ? connectTls(options) : connect(options);
  let received = '';
  const report = () => {
    Atomics.store(hasSent, 0, 1);
    Atomics.notify(hasSent, 0);
  };
  socket.setEncoding('latin1');
  socket.on(isSecure ? 'secureConnect' : 'connect', () => socket.end(text, 'latin1'));
  // Our side has ended: the system has the bytes and the FIN.
  socket.on('finish', () => setImmediate(report));
  socket.on('data', (chunk) => {
    received += chunk;
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    report();
    parentPort.postMessage(received);
  });
});
