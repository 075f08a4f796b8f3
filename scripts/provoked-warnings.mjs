// Keeps warnings that tests provoke on purpose out of the output of a run: those of the framework, which the tests about them
// catch, and node's of header fields that HTTP/2 does not have. Any other warning is printed, and has a cause to mend.
const printers = process.listeners('warning');
process.removeAllListeners('warning');
process.on('warning', (warning) => {
  if (isProvoked(warning)) return;
  for (const print of printers) print.call(process, warning);
});

function isProvoked({ code = '', name }) {
  return /^(?:FST|AMB)(?:WRN|SEC|DEP)\d/.test(code) || name === 'UnsupportedWarning';
}
