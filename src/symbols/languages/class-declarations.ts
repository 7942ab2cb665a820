import { type DeclarationRules, type Declares, named } from '../declaration.ts'
import { childWithField, type SyntaxNode } from '../syntax-node.ts'

/** The declarations of Java. */
export const javaDeclarations: DeclarationRules = {
  declares: {
    class_declaration: named('class'),
    record_declaration: named('class'),
    interface_declaration: named('type'),
    enum_declaration: named('type'),
    annotation_type_declaration: named('type'),
    method_declaration: named('method'),
    constructor_declaration: named('method'),
    compact_constructor_declaration: named('method'),
  },
  wrappers: [],
  prefixes: [],
}

/** The declarations of C#. */
export const csharpDeclarations: DeclarationRules = {
  declares: {
    class_declaration: named('class'),
    record_declaration: named('class'),
    struct_declaration: named('type'),
    interface_declaration: named('type'),
    enum_declaration: named('type'),
    delegate_declaration: named('type'),
    method_declaration: named('method'),
    constructor_declaration: named('method'),
  },
  wrappers: [],
  prefixes: [],
}

/** The declarations of C and C++. */
export const cppDeclarations: DeclarationRules = {
  declares: {
    function_definition: definedFunction,
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

function definedFunction(...[node, { ancestors }]: Parameters<Declares>): ReturnType<Declares> {
  const name = declarators(node).map(innermost)[0] ?? null
  if (name === null) return null
  const isMethod =
    ancestors.slice(-2).some(it => it.type === 'field_declaration_list') || name.type === 'qualified_identifier'
  return { kind: isMethod ? 'method' : 'function', names: [lastPart(name)] }
}

const NAMES = [
  ...['identifier', 'field_identifier', 'type_identifier', 'qualified_identifier', 'destructor_name', 'operator_name'],
  ...['operator_cast', 'template_function', 'primitive_type'],
]

/** The name in nested declarators: pointers, references, arrays and functions have it at their innermost. */
function innermost(node: SyntaxNode): SyntaxNode | null {
  if (NAMES.includes(node.type)) return node
  const inner =
    childWithField(node, 'declarator') ??
    node.children.find(it => it.isNamed && /declarator$|^(type_)?identifier$|_name$/.test(it.type))
  return inner ? innermost(inner) : null
}

/** The last name of a qualified one, and the name of an instance of a template without its arguments. */
function lastPart(node: SyntaxNode): SyntaxNode {
  const isQualified =
    node.type === 'qualified_identifier' || node.type === 'template_function' || node.type === 'template_type'
  const name = isQualified || node.type === 'dependent_name' ? childWithField(node, 'name') : null
  return name ? lastPart(name) : node
}
