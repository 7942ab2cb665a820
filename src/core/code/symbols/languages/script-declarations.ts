import { type DeclarationRules, functionOrMethod, named } from '../declaration.ts'
import { childWithField, type SyntaxNode, walkTree } from '../syntax-node.ts'

/** The declarations of Python. */
export const pythonDeclarations: DeclarationRules = {
  declares: {
    function_definition: (node, place) => {
      const around = place.ancestors.filter(it => it.type !== 'decorated_definition').slice(-2)
      const isMethod = around[0]?.type === 'class_definition' && around[1]?.type === 'block'
      return named(isMethod ? 'method' : 'function')(node, place)
    },
    class_definition: named('class'),
    assignment: (node, { text, ancestors }) => {
      const left = node.children.filter(it => it.field === 'left' && it.type === 'identifier')
      const isConstant = left.every(it => /^_*[A-Z][A-Z0-9_]*$/.test(text.slice(it.start, it.end)))
      return ancestors.length === 2 && isConstant ? { kind: 'constant', names: left } : null
    },
  },
  wrappers: ['decorated_definition', 'expression_statement'],
  prefixes: [],
}

/** The declarations of Ruby. */
export const rubyDeclarations: DeclarationRules = {
  declares: {
    class: named('class'),
    module: named('module'),
    method: (node, place) =>
      named(place.ancestors.some(it => it.type === 'class' || it.type === 'module') ? 'method' : 'function')(
        node,
        place,
      ),
    singleton_method: named('method'),
    // A constant that is assigned in a block or method is not a declaration of its class.
    assignment: (node, { ancestors }) => {
      const scope = ancestors.findLast(it => RUBY_SCOPES.includes(it.type))?.type
      const names = node.children.filter(it => it.field === 'left' && it.type === 'constant')
      return RUBY_CONSTANT_SCOPES.includes(scope ?? '') ? { kind: 'constant', names } : null
    },
  },
  wrappers: [],
  prefixes: [],
}

const RUBY_CONSTANT_SCOPES = ['program', 'class', 'module', 'singleton_class']
const RUBY_SCOPES = [...RUBY_CONSTANT_SCOPES, 'method', 'singleton_method', 'block', 'do_block', 'lambda']

/** The declarations of PHP. */
export const phpDeclarations: DeclarationRules = {
  declares: {
    class_declaration: named('class'),
    interface_declaration: named('type'),
    trait_declaration: named('type'),
    enum_declaration: named('type'),
    function_definition: named('function'),
    method_declaration: named('method'),
    const_element: node => ({ kind: 'constant', names: node.children.filter(it => it.type === 'name').slice(0, 1) }),
  },
  wrappers: [],
  prefixes: [],
}

/** The declarations of Go. */
export const goDeclarations: DeclarationRules = {
  declares: {
    function_declaration: named('function'),
    method_declaration: (node, place) => ({
      ...named('method')(node, place)!,
      owner: typeNameIn(childWithField(node, 'receiver')),
    }),
    type_spec: named('type'),
    type_alias: named('type'),
    const_spec: (node, place) => (place.ancestors.length <= 2 ? named('constant')(node, place) : null),
  },
  wrappers: [],
  prefixes: [],
}

/** The declarations of Rust. */
export const rustDeclarations: DeclarationRules = {
  declares: {
    function_item: functionOrMethod('impl_item', 'trait_item'),
    function_signature_item: functionOrMethod('impl_item', 'trait_item'),
    associated_type: named('type'),
    struct_item: named('type'),
    enum_item: named('type'),
    union_item: named('type'),
    trait_item: named('type'),
    type_item: named('type'),
    const_item: named('constant'),
    static_item: named('constant'),
    mod_item: named('module'),
  },
  wrappers: [],
  prefixes: ['attribute_item'],
  owners: { impl_item: node => typeNameIn(childWithField(node, 'type')) },
}

/** The first name of a type in a node: that of `Queue` in `(q *Queue[T])`, and in `&m::Queue<T>`. */
function typeNameIn(node: SyntaxNode | null): SyntaxNode | null {
  let found: SyntaxNode | null = null
  if (node)
    walkTree(node, it => {
      if (/^(?:type_identifier|primitive_type)$/.test(it.type)) found ??= it
      return found === null
    })
  return found
}
