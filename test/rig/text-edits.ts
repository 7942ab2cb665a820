import { childWithField, type ParsedText, type SyntaxNode, walkTree } from '../../src/core/code/symbols/syntax-node.ts'

/** A part of a text with what takes its place. */
export type Edit = { readonly start: number; readonly end: number; readonly text: string }

/** All edits of one kind that are possible in a text. */
export type FindEdits = (parsed: ParsedText) => Edit[][]

/** A text after some edits that do not overlap. */
export function edited(text: string, edits: readonly Edit[]): string {
  let result = text
  for (const it of edits.toSorted((a, b) => b.start - a.start))
    result = result.slice(0, it.start) + it.text + result.slice(it.end)
  return result
}

const OTHER_OPERATOR: Readonly<Record<string, string>> = {
  ...{ '+': '-', '-': '+', '*': '+', '<': '<=', '>': '>=', '<=': '<', '>=': '>', '==': '!=', '!=': '==' },
  ...{ '===': '!==', '!==': '===', '&&': '||', '||': '&&', and: 'or', or: 'and' },
}
const CALLS = /^(call_expression|call|method_invocation|invocation_expression|function_call_expression)$/
const FUNCTIONS = /^(function_declaration|function_definition|function_item|method)$/

/** Edits that change what a program does, or a name that others write. */
export const UNSAFE_EDITS: Readonly<Record<string, FindEdits>> = {
  operator: nodes((node, [parent]) =>
    Object.hasOwn(OTHER_OPERATOR, node.type) && /binary|comparison|boolean/.test(parent?.type ?? '')
      ? [replace(node, OTHER_OPERATOR[node.type]!)]
      : [],
  ),
  number: nodes((node, _, text) =>
    node.children.length === 0 && /number|integer|int_literal/.test(node.type) && /^\d+$/.test(textOf(text, node))
      ? [replace(node, `${textOf(text, node)}1`)]
      : [],
  ),
  string: nodes((node, _, text) =>
    /^(string_content|string_fragment|string_literal_content|interpreted_string_literal_content)$/.test(node.type)
      ? [replace(node, `${textOf(text, node)}x`)]
      : [],
  ),
  'removed guard': nodes((node, _, text) => {
    const condition = /^if/.test(node.type) ? childWithField(node, 'condition') : null
    const inner = condition?.type.startsWith('paren') ? condition.children.find(it => it.isNamed) : condition
    return inner && textOf(text, inner) !== '1' ? [replace(inner, '1')] : []
  }),
  'order of arguments': nodes((node, _, text) => {
    const [one, other] = /^arguments$|^argument_list$/.test(node.type) ? node.children.filter(isCode) : []
    return one && other && textOf(text, one) !== textOf(text, other) ? swap(text, one, other) : []
  }),
  callee: nodes((node, _, text) => {
    const callee = CALLS.test(node.type) ? (childWithField(node, 'function') ?? childWithField(node, 'name')) : null
    return callee && /^\w+$/.test(textOf(text, callee)) ? [replace(callee, `${textOf(text, callee)}X`)] : []
  }),
  'name of a function': ({ text, root }) =>
    root.children.flatMap(it => {
      const declared = FUNCTIONS.test(it.type) ? it : childWithField(it, 'declaration')
      const name = declared && FUNCTIONS.test(declared.type) ? childWithField(declared, 'name') : null
      return name ? [everywhere(text, textOf(text, name))] : []
    }),
  'order of effects': nodes((node, _, text) => {
    const at = node.children.findIndex((it, n) => hasCall(it) && hasCall(node.children[n + 1] ?? it))
    const [one, other] = [node.children[at], node.children[at + 1]]
    return one && other && textOf(text, one) !== textOf(text, other) ? swap(text, one, other) : []
  }),
}

/** Edits of white space alone, between the parts of a file. */
export const layoutEdits: FindEdits = ({ root }) => boundaries(root).map(start => [{ start, end: start, text: '\n' }])

/** Comments for people, between the parts of a file. */
export function commentEdits(mark: string): FindEdits {
  return ({ root }) => boundaries(root).map(start => [{ start, end: start, text: `${mark} as agreed\n` }])
}

/** Renames of names that a function binds, and that no other part of the file mentions. */
export const localRenames: FindEdits = ({ text, root }) => {
  const found: Edit[][] = []
  walkTree(root, (node, ancestors) => {
    const parent = ancestors.at(-1)
    const isBinder = node.type === 'identifier' && isLocalBinder(node, ancestors)
    const name = textOf(text, node)
    const owner = ancestors.findLast(it => /function|method|arrow|func_literal/.test(it.type) && it !== parent)
    if (isBinder && owner && isOnlyAVariable({ text, root }, { name, owner })) found.push(everywhere(text, name))
    return true
  })
  return found
}

/** Two neighbours of one kind that change places: functions, or imports. */
export function swaps(types: RegExp): FindEdits {
  return ({ text, root }) =>
    root.children.flatMap((one, n) => {
      const other = root.children[n + 1]
      const isPair = other && types.test(one.type) && types.test(other.type) && !isComment(root.children[n - 1])
      const isApart = other && /^\s*$/.test(text.slice(one.end, other.start))
      const isAlone = isPair && isApart && textOf(text, one) !== textOf(text, other)
      const isOfAll = isAlone && /[*]/.test(textOf(text, one) + textOf(text, other))
      if (isOfAll) return []
      return isAlone && !isComment(root.children[n + 2]) ? [swap(text, one, other)] : []
    })
}

function nodes(find: (node: SyntaxNode, around: readonly SyntaxNode[], text: string) => Edit[]): FindEdits {
  return ({ text, root }) => {
    const found: Edit[][] = []
    walkTree(root, (node, ancestors) => {
      const edits = find(node, ancestors.slice(-1), text)
      if (edits.length > 0) found.push(edits)
      return true
    })
    return found
  }
}

function textOf(text: string, node: SyntaxNode): string {
  return text.slice(node.start, node.end)
}

function replace({ start, end }: SyntaxNode, text: string): Edit {
  return { start, end, text }
}

function swap(text: string, one: SyntaxNode, other: SyntaxNode): Edit[] {
  return [replace(one, textOf(text, other)), replace(other, textOf(text, one))]
}

function everywhere(text: string, name: string): Edit[] {
  const words = [...text.matchAll(new RegExp(`(?<![\\w$])${name}(?![\\w$])`, 'g'))]
  return words.map(it => ({ start: it.index, end: it.index + name.length, text: `${name}Other` }))
}

function isCode(node: SyntaxNode): boolean {
  return node.isNamed && !isComment(node)
}

function isComment(node: SyntaxNode | undefined): boolean {
  return node !== undefined && /comment|attribute|decorator/.test(node.type)
}

function hasCall(node: SyntaxNode): boolean {
  return node.type === 'expression_statement' && node.children.some(it => CALLS.test(it.type))
}

/** Where a line begins with a part of the file that has no comment before it. */
function boundaries(root: SyntaxNode): number[] {
  const parts = root.children.slice(1).filter((it, n) => !isComment(it) && !isComment(root.children[n]))
  return parts.filter(it => it.isNamed && /declaration|definition|item$|class|method/.test(it.type)).map(it => it.start)
}

const LOCAL = /^(variable_declarator|short_var_declaration|let_declaration|init_declarator)$/

function isLocalBinder(node: SyntaxNode, ancestors: readonly SyntaxNode[]): boolean {
  const declarer = ancestors.findLast(it => !/expression_list/.test(it.type))
  const value = declarer && childWithField(declarer, 'value')?.type
  // Its name is a value itself.
  if (/function|class/.test(value ?? '')) return false
  const role = declarer && LOCAL.test(declarer.type) ? (ancestors.at(-1) === declarer ? node.field : 'left') : null
  return role === 'name' || role === 'left' || role === 'pattern' || role === 'declarator'
}

type Local = { readonly name: string; readonly owner: SyntaxNode }

/** True for a name whose every mention in the file is a variable within the function, and that is bound once. */
function isOnlyAVariable({ text, root }: ParsedText, { name, owner }: Local): boolean {
  // In a setter, `value` is what is set.
  if (!/^[a-z]\w{2,}$/.test(name) || name === 'value') return false
  let variables = 0
  let binders = 0
  walkTree(root, (node, ancestors) => {
    const isMember =
      node.field === 'field' || (node.field === 'name' && /invocation|access/.test(ancestors.at(-1)!.type))
    const isName = node.type === 'identifier' && textOf(text, node) === name && !isMember
    const isWithin = node.start >= owner.start && node.end <= owner.end
    const isPlain = !ancestors.some(it => /jsx|macro|token_tree|literal_value|keyed|pair|template_arg/.test(it.type))
    if (isName && isWithin && isPlain) variables++
    if (isName && isLocalBinder(node, ancestors)) binders++
    return true
  })
  return binders === 1 && variables === everywhere(text, name).length
}
