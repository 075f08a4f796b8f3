// Hides warnings that tests cause on purpose: those of the framework, which tests check, and Node's warnings about
// header fields that HTTP/2 does not support. Every other warning is printed, because its cause must be fixed.
const printers = process.listeners('warning');
process.removeAllListeners('warning');
process.on('warning', (warning) => {
  if (isExpected(warning)) return;
  for (const print of printers) print.call(process, warning);
});

function isExpected({ code = '', name }) {
  return /^(?:FST|AMB)(?:WRN|SEC|DEP)\d/.test(code) || name === 'UnsupportedWarning';
}
