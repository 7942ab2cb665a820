import {
  type Class,
  type Function as AnyFunction,
  type MethodDefinition,
  parseSync,
  type Program,
  Visitor,
} from 'oxc-parser'

type Name = { readonly name: string; readonly start: number }

/** The declarations of a script with the lines of their names, by a parser that is independent of kotef's. */
export function scriptDeclarations(path: string, text: string): { name: string; line: number }[] {
  const { program, errors } = parseSync(path, text)
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`)
  return [...namesIn(program, text), ...constantsOf(program)].map(({ name, start }) => ({
    name,
    line: lineAt(text, start),
  }))
}

function namesIn(program: Program, text: string): Name[] {
  const names: Name[] = []
  const declared = ({ id }: { id: { type: string; start: number; end: number } | null }) => {
    if (id !== null) names.push({ name: text.slice(id.start, id.end), start: id.start })
  }
  const whole = (it: AnyFunction | Class) => declared(it)
  new Visitor({
    FunctionDeclaration: whole,
    TSDeclareFunction: it => it.declare && declared(it),
    ClassDeclaration: whole,
    MethodDefinition: it => it.value.body !== null && names.push(methodName(it, text)),
    TSInterfaceDeclaration: declared,
    TSTypeAliasDeclaration: declared,
    TSEnumDeclaration: declared,
    TSModuleDeclaration: it => it.kind !== 'global' && declared(it),
  } as ConstructorParameters<typeof Visitor>[0]).visit(program)
  return names
}

function methodName({ key, computed }: MethodDefinition, text: string): Name {
  const name = text.slice(key.start, key.end)
  return { name: computed ? `[${name}]` : name, start: key.start }
}

function constantsOf({ body }: Program): Name[] {
  return body
    .map(it => (it.type === 'ExportNamedDeclaration' ? it.declaration : it))
    .filter(it => it?.type === 'VariableDeclaration')
    .filter(it => it.kind === 'const')
    .flatMap(it => it.declarations.map(({ id }) => id))
    .filter(it => it.type === 'Identifier')
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}
