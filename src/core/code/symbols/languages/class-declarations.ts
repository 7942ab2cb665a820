import { type DeclarationRules, type Declares, named } from '../declaration.ts'
import { nodesAsOne } from '../syntax-node.ts'

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
    destructor_declaration: methodFrom('~'),
    operator_declaration: methodFrom('operator'),
    conversion_operator_declaration: methodFrom('operator'),
  },
  wrappers: [],
  prefixes: [],
}

// Their names are everything from this word to the parameters: `operator ==`.
function methodFrom(word: string): Declares {
  return ({ children }) => {
    const first = children.findIndex(it => it.type === word)
    const after = children.findIndex(it => it.field === 'parameters')
    return {
      kind: 'method',
      names: first < 0 || after < first ? [] : [nodesAsOne(children[first]!, children[after - 1]!)],
    }
  }
}
