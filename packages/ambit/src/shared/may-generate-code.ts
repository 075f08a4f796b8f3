/** Whether the process allows code generation from strings; `node --disallow-code-generation-from-strings` forbids it. */
let isAllowed: boolean | undefined;

export function mayGenerateCode(): boolean {
  isAllowed ??= tryToGenerateCode();
  return isAllowed;
}

function tryToGenerateCode(): boolean {
  try {
    new Function('');
    return true;
  } catch {
    return false;
  }
}
