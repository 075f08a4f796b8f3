/** Whether the process lets code be made from strings; `node --disallow-code-generation-from-strings` forbids it. */
let answer: boolean | undefined;

export function mayGenerateCode(): boolean {
  answer ??= tryIt();
  return answer;
}

function tryIt(): boolean {
  try {
    new Function('');
    return true;
  } catch {
    return false;
  }
}
