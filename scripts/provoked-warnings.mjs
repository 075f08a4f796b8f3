// Removes warnings that tests cause on purpose from the output: those of the framework, which their tests check, and
// node's warnings about header fields that HTTP/2 does not have. Every other warning is printed, because its cause must
// be fixed.
const printers = process.listeners('warning');
process.removeAllListeners('warning');
process.on('warning', (warning) => {
  if (isProvoked(warning)) return;
  for (const print of printers) print.call(process, warning);
});

function isProvoked({ code = '', name }) {
  return /^(?:FST|AMB)(?:WRN|SEC|DEP)\d/.test(code) || name === 'UnsupportedWarning';
}
