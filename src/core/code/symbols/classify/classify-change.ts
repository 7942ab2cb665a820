import type { MutationClass } from '../../../ledger/mutation-class.ts'
import type { ParsedText } from '../syntax-node.ts'
import type { ClassRules } from './class-rules.ts'
import { compareComments } from './compare-comments.ts'
import { compareTrees } from './compare-trees.ts'
import { movedParts, orderedTree } from './moves.ts'
import { type NormalForm, normalForm, type NormalNode } from './normal-form.ts'
import { proveRenames } from './renames.ts'

/** The class of a change, and what it follows from: each piece of evidence is a rule, with lines that count from 1. */
export type Classification = { readonly mutationClass: MutationClass; readonly evidence: readonly string[] }

/**
 * Classifies a change of a text by a proof: of equal trees, of moves that change nothing, of renames of local names, of
 * comments that no tool reads. What has no proof is an evolution.
 */
export function classifyChange(before: ParsedText, after: ParsedText, rules: ClassRules): Classification {
  if (before.text === after.text) return { mutationClass: 'FORMAT', evidence: ['the texts are equal'] }
  if (before.root.isBroken || after.root.isBroken) return unknown('the text can’t be parsed')
  const forms = [before, after].map(it =>
    normalForm(it.text, it.root, { layout: rules.layout, containers: rules.moves.containers }),
  ) as [NormalForm, NormalForm]
  if (forms[0].broken.toSorted().join('\0') !== forms[1].broken.toSorted().join('\0'))
    return unknown('a part that can’t be parsed differs')
  if (!isVerbatimEqual(before, after, rules)) return evolution('a word that the grammar may misread differs')
  return classifyForms(forms, { before, after, rules })
}

function isVerbatimEqual(before: ParsedText, after: ParsedText, { layout: { verbatim } }: ClassRules): boolean {
  const [first, second] = [before, after].map(it => /^\uFEFF?#!(?!\s*\[).*/.exec(it.text)?.[0] ?? '')
  if (first !== second) return false
  if (!verbatim) return true
  const [one, other] = [before, after].map(it => (it.text.match(verbatim) ?? []).join('\0'))
  return one === other
}

function unknown(reason: string): Classification {
  return { mutationClass: 'UNKNOWN', evidence: [reason] }
}

type Change = { readonly before: ParsedText; readonly after: ParsedText; readonly rules: ClassRules }

function classifyForms(forms: readonly [NormalForm, NormalForm], { before, after, rules }: Change): Classification {
  const trees = [
    orderedTree(forms[0].root, rules.moves, before.text),
    orderedTree(forms[1].root, rules.moves, after.text),
  ] as const
  const comparison = compareTrees(trees[0].root, trees[1].root)
  if (!comparison.isSame) return evolution(`${atLines(comparison)}: ${describe(comparison)}`)
  const proof = proveRenames({ ...comparison, texts: [before.text, after.text], rules: rules.names })
  if (!proof.isProved) {
    const why = proof.reason === null ? '' : `; the name ${proof.reason}`
    return evolution(`${atLines(proof.leaf)}: ${describe(proof.leaf)}${why}`)
  }
  const moved = movedParts(...trees)
  const isEveryTool = [before, after].some(it => rules.toolText?.test(it.text))
  const toolComment = isEveryTool ? /^/ : rules.toolComment
  const comments = compareComments(...forms, { ...rules, toolComment, moved })
  if (comments.change === 'tool') return evolution(`line ${comments.row + 1}: a comment that a tool reads differs`)
  const evidence = [
    ...moved.map(it => `lines ${it.from + 1} and ${it.to + 1}: ${it.key} moved`),
    ...proof.renames.map(it => `lines ${it.row + 1} and ${it.newRow + 1}: the local name ${it.from} is ${it.to} now`),
    ...(comments.change === 'prose' ? [`line ${comments.row + 1}: a comment differs`] : []),
  ]
  if (evidence.length > 0) return { mutationClass: 'AST_REFACTOR', evidence: evidence.slice(0, EVIDENCE_MAX) }
  return { mutationClass: 'FORMAT', evidence: layoutEvidence(forms) }
}

// More is not read, and is kept with each record.
const EVIDENCE_MAX = 8

function evolution(evidence: string): Classification {
  return { mutationClass: 'INTENT_EVOLUTION', evidence: [evidence] }
}

function layoutEvidence([before, after]: readonly [NormalForm, NormalForm]): string[] {
  const kinds = new Set([...before.leftOut.keys(), ...after.leftOut.keys()])
  const leftOut = [...kinds].filter(it => before.leftOut.get(it) !== after.leftOut.get(it))
  return leftOut.length === 0 ? ['the tokens are equal'] : [`the tokens are equal without ${leftOut.join(' and ')}`]
}

type Pair = { readonly before: NormalNode; readonly after: NormalNode }

function atLines({ before, after }: Pair): string {
  return before.row === after.row ? `line ${before.row + 1}` : `lines ${before.row + 1} and ${after.row + 1}`
}

function describe({ before, after }: Pair): string {
  const one = wordOf(before)
  const other = wordOf(after)
  return one === other ? `${one} has other parts` : `${one} is ${other} now`
}

const WORD_CHARS_MAX = 40

function wordOf({ type, text }: NormalNode): string {
  if (text === null || text === '') return type.replaceAll('_', ' ')
  const line = text.replace(/\s+/g, ' ')
  return `“${line.length > WORD_CHARS_MAX ? `${line.slice(0, WORD_CHARS_MAX)}…` : line}”`
}
