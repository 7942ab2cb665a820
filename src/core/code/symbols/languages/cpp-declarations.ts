import { type DeclarationRules, type Declares, named } from '../declaration.ts'
import { childWithField, nodesAsOne, sourceOf, type SyntaxNode } from '../syntax-node.ts'

/** The declarations of C and C++. */
export const cppDeclarations: DeclarationRules = {
  declares: {
    function_definition: (node, place) => classAfterMacro(node) ?? definedFunction(node, place),
    declaration: misreadFunction,
    struct_specifier: withBody('type'),
    union_specifier: withBody('type'),
    enum_specifier: withBody('type'),
    class_specifier: withBody('class'),
    type_definition: node => ({
      kind: 'type',
      names: declarators(node)
        .map(innermost)
        .filter(it => it !== null),
    }),
    alias_declaration: named('type'),
    namespace_definition: named('module'),
  },
  wrappers: ['template_declaration'],
  prefixes: [],
}

function withBody(kind: 'type' | 'class'): Declares {
  return (node, place) => {
    if (childWithField(node, 'body') === null) return null
    const names = named(kind)(node, place)?.names ?? []
    return { kind, names: names.map(lastPart) }
  }
}

function declarators(node: SyntaxNode): SyntaxNode[] {
  return node.children.filter(it => it.field === 'declarator')
}

// `class EXPORT A : public B { }` is read as a function that gives a `class EXPORT`.
function classAfterMacro({ children }: SyntaxNode): ReturnType<Declares> {
  const at = children.findIndex(it => it.field === 'type' && /^(class|struct|union)_specifier$/.test(it.type))
  const declarator = children.find(it => it.field === 'declarator')
  if (at < 0 || declarator?.type !== 'identifier' || childWithField(children[at]!, 'body')) return null
  const names = [...(children[at + 1]?.type === 'ERROR' ? children[at + 1]!.children : []), declarator]
  return {
    kind: children[at]!.type === 'class_specifier' ? 'class' : 'type',
    names: names.filter(it => it.type === 'identifier').slice(0, 1),
  }
}

function definedFunction(...[node, { text, ancestors }]: Parameters<Declares>): ReturnType<Declares> {
  const declarator = declarators(node)[0]
  if (!declarator || isLoopOfMacro(node, ancestors)) return null
  const full = isFunctionDeclarator(declarator) ? innermost(declarator) : null
  const name = full === null ? nameBeforeParameters(node, declarator, text) : withOperator(node, lastPart(full), text)
  if (name === null || KEYWORDS.has(sourceOf(text, name))) return null
  const isMethod =
    ancestors.slice(-2).some(it => it.type === 'field_declaration_list') ||
    (full ?? declarator).type === 'qualified_identifier'
  // The scope of an operator that is read as a part of its type.
  const scoped = full && name.start < full.start ? childWithField(node, 'type') : full
  return { kind: isMethod ? 'method' : 'function', names: [name], owner: lastScope(scoped ?? declarator) }
}

// Where the grammar can't read the body of a function, it takes it for an initial value. No function has one.
function misreadFunction(node: SyntaxNode): ReturnType<Declares> {
  const names = declarators(node)
    .filter(it => it.type === 'init_declarator' && childWithField(it, 'value')?.type === 'initializer_list')
    .filter(isFunctionDeclarator)
    .map(innermost)
    .filter(it => it !== null)
  return { kind: 'function', names: names.map(lastPart) }
}

// `for_each(list, it) { }` in a function looks like a definition without a type.
function isLoopOfMacro(node: SyntaxNode, ancestors: readonly SyntaxNode[]): boolean {
  return childWithField(node, 'type') === null && ancestors.at(-1)?.type === 'compound_statement'
}

function isFunctionDeclarator(node: SyntaxNode): boolean {
  return /^(abstract_)?function_declarator$/.test(node.type) || inner(node).some(isFunctionDeclarator)
}

// A macro that the grammar takes for a type makes an error of the rest, so the text has to do.
const NAME_AND_PARENTHESIS = /(operator\s*(?:\(\s*\)|[^\s\w(]+|\w[\w\s:*&]*?)|~?\b[A-Za-z_]\w*)\s*\(/

function nameBeforeParameters(node: SyntaxNode, declarator: SyntaxNode, text: string): SyntaxNode | null {
  const end = childWithField(node, 'body')?.start ?? node.end
  const source = text.slice(declarator.start, end)
  const found = NAME_AND_PARENTHESIS.exec(source)
  if (!found) return null
  const start = declarator.start + found.index
  const row = declarator.row + source.slice(0, found.index).split('\n').length - 1
  return { ...declarator, start, row, end: start + found[1]!.length, children: [] }
}

// `A::operator T() { }` is read as a function `T` of the type `A::operator`.
function withOperator(node: SyntaxNode, name: SyntaxNode, text: string): SyntaxNode {
  const type = childWithField(node, 'type')
  const last = type && lastPart(type)
  if (last && sourceOf(text, last) === 'operator') return nodesAsOne(last, name)
  if (name.type !== 'operator_cast') return name
  return { ...name, end: name.start + sourceOf(text, name).search(/\s*\(|$/) }
}

// After an error a statement may look like a definition.
const KEYWORDS = new Set(['if', 'else', 'for', 'while', 'do', 'switch', 'catch', 'return', 'sizeof', 'defined'])

const NAMES = [
  ...['identifier', 'field_identifier', 'type_identifier', 'qualified_identifier', 'destructor_name', 'operator_name'],
  ...['operator_cast', 'template_function', 'primitive_type'],
]

/** The name in nested declarators: pointers, references, arrays and functions have it at their innermost. */
function innermost(node: SyntaxNode): SyntaxNode | null {
  if (NAMES.includes(node.type)) return node
  const [first] = inner(node)
  return first ? innermost(first) : null
}

function inner(node: SyntaxNode): SyntaxNode[] {
  const found =
    childWithField(node, 'declarator') ??
    node.children.find(it => it.isNamed && /declarator$|^(type_)?identifier$|_name$/.test(it.type))
  return found ? [found] : []
}

/** The name before the last of a qualified one: `B` of `A::B::f`; null for any other. */
function lastScope(full: SyntaxNode | null): SyntaxNode | null {
  let scope: SyntaxNode | null = null
  for (let at = full; at?.type === 'qualified_identifier'; at = childWithField(at, 'name'))
    scope = childWithField(at, 'scope') ?? scope
  return scope && lastPart(scope)
}

/** The last name of a qualified one, and the name of an instance of a template without its arguments. */
function lastPart(node: SyntaxNode): SyntaxNode {
  const isQualified =
    node.type === 'qualified_identifier' || node.type === 'template_function' || node.type === 'template_type'
  const name = isQualified || node.type === 'dependent_name' ? childWithField(node, 'name') : null
  return name ? lastPart(name) : node
}
