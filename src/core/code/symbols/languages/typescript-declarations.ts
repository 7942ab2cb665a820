import { type DeclarationRules, type Declares, named } from '../declaration.ts'
import { childWithField, type SyntaxNode } from '../syntax-node.ts'

const FUNCTIONS = ['arrow_function', 'function_expression', 'generator_function']

/** The declarations of TypeScript, TSX and JavaScript. */
export const typescriptDeclarations: DeclarationRules = {
  declares: {
    function_declaration: named('function'),
    generator_function_declaration: named('function'),
    function_signature: ambientFunction,
    class_declaration: named('class'),
    abstract_class_declaration: named('class'),
    method_definition: (node, place) =>
      place.ancestors.at(-1)?.type === 'class_body' ? named('method')(node, place) : null,
    interface_declaration: named('type'),
    type_alias_declaration: named('type'),
    enum_declaration: named('type'),
    internal_module: named('module'),
    module: named('module'),
    variable_declarator: topLevelConstant,
  },
  wrappers: ['export_statement', 'ambient_declaration', 'lexical_declaration', 'expression_statement'],
  prefixes: ['decorator'],
}

// An overload is a part of the function that follows it.
function ambientFunction(...[node, place]: Parameters<Declares>): ReturnType<Declares> {
  return place.ancestors.some(it => it.type === 'ambient_declaration') ? named('function')(node, place) : null
}

function topLevelConstant(...[node, { ancestors }]: Parameters<Declares>): ReturnType<Declares> {
  const parent = ancestors.at(-1)
  const isConstant = parent?.type === 'lexical_declaration' && parent.children[0]?.type === 'const'
  const isTopLevel = ancestors.slice(1, -1).every(it => TOP_LEVEL.includes(it.type))
  const names = node.children.filter(it => it.field === 'name' && it.type === 'identifier')
  return isConstant && isTopLevel ? { kind: kindOfValue(childWithField(node, 'value')), names } : null
}

const TOP_LEVEL = ['export_statement', 'ambient_declaration']

function kindOfValue(value: SyntaxNode | null): 'function' | 'class' | 'constant' {
  if (value === null) return 'constant'
  return FUNCTIONS.includes(value.type) ? 'function' : value.type === 'class' ? 'class' : 'constant'
}
