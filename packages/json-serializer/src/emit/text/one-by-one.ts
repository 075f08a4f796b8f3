/**
 * Generates the code that writes the properties of an object one after the other: if they depend on conditions, or if there are very many.
 */
import type {
  Conditional,
  ConditionalShape,
  ObjectShape,
  PropertyShape,
  Selector,
} from '../../shape/shape.ts';
import type { Emitter } from '../emitter.ts';
import { readProperty } from '../properties.ts';
import { emitTest } from '../test-code.ts';
import { emitExtras } from './extras.ts';
import { writeLeaf } from './leaf.ts';

type When = Conditional['when'];

export function emitOneByOne(emitter: Emitter, name: string, shape: ObjectShape | ConditionalShape): string {
  const selectors = shape.kind === 'object' ? [] : shape.selectors;
  const leaves = selectors.map((selector, index) => {
    const select = `d${shape.number}_${index}`;
    emitter.addFunction(select, () => `function ${select}(v){${emitSelector(emitter, selector)}}`);
    return `const g${index}=${select}(v);\n`;
  });
  const required = shape.otherRequired.map((each) =>
    typeof each === 'string' ? emitRequired(each) : emitWhen(each.when, emitRequired(each.name)),
  );
  const properties = shape.properties.map((property) =>
    emitWhen(
      'when' in property ? (property as Conditional).when : undefined,
      emitProperty(emitter, property),
    ),
  );
  const extras = shape.kind === 'object' ? emitExtras(emitter, shape, false) : '';
  return `function ${name}(v){
${leaves.join('')}if(v!==null&&typeof v.toJSON==='function')v=v.toJSON();
if(v===null)return '${shape.nullable ? 'null' : '{}'}';
${required.join('')}let j='{',n=0,e;
${properties.join('')}${extras}return j+'}';}`;
}

/** Statements that return the number of a leaf. */
function emitSelector(emitter: Emitter, selector: Selector): string {
  if (typeof selector === 'number') return `return ${selector};`;
  const branches = selector.branches.map(({ test, next }) => {
    const inner = emitSelector(emitter, next);
    return test.kind === 'always' ? inner : `if(${emitTest(emitter, test, 'v')}){${inner}}\n`;
  });
  const isCertain = selector.branches.at(-1)?.test.kind === 'always';
  return branches.join('') + (isCertain ? '' : `return failMatch(${JSON.stringify(selector.schemaPath)});`);
}

function emitWhen(when: When, statement: string): string {
  return when === undefined ? statement : `if(g${when.selector}===${when.leaf}){${statement}}\n`;
}

function emitRequired(name: string): string {
  return `if(${readProperty(name)}===undefined)failRequired(${JSON.stringify(name)});\n`;
}

function emitProperty(emitter: Emitter, { name, shape, isRequired, defaultText }: PropertyShape): string {
  const key = `${JSON.stringify(name)}:`;
  const [read, text] =
    shape.kind === 'any'
      ? [`anyText(${readProperty(name)})`, 'e']
      : [readProperty(name), writeLeaf(emitter, shape, 'e')];
  const write = `e=${read};if(e!==undefined){j+=${emitSeparator(key)}+${text};}`;
  if (defaultText !== undefined) return `${write}else{j+=${emitSeparator(key + defaultText)};}\n`;
  return isRequired ? `${write}else failRequired(${JSON.stringify(name)});\n` : `${write}\n`;
}

/** An expression for a comma, if one is needed, and the text after it. */
function emitSeparator(text: string): string {
  return `(n?${JSON.stringify(`,${text}`)}:(n=1,${JSON.stringify(text)}))`;
}
