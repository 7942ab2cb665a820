import type { CommandNode, CompoundList, PipelineNode, Statement, SyntaxNode } from 'unbash'
import { commandEffects } from './command.ts'
import {
  type Cwds,
  type Effect,
  effectsFromLineStart,
  redirectEffects,
  type StepResult,
  unionOfCwds,
} from './effect.ts'
import { nestedScripts } from './hazards.ts'
import { governanceMentions, nodeText } from './governance-mentions.ts'
import { assignmentEffects } from './builtins.ts'

/** The effects of a list of statements, run one after the other. */
export function statementsResult(statements: readonly Statement[], from: Cwds): StepResult {
  const effects: Effect[] = []
  let at = from
  for (const it of statements) {
    const steps = pipelineResult(it.command, at)
    effects.push(...steps.effects)
    // A background job has its own working folder.
    at = it.background ? at : unionOfCwds(steps.onSuccess, steps.onFailure)
  }
  return { effects, onSuccess: at, onFailure: at }
}

function pipelineResult(node: PipelineNode | Extract<Statement['command'], { type: 'AndOr' }>, at: Cwds): StepResult {
  if (node.type === 'AndOr') return andOrResult(node, at)
  if (node.type !== 'Pipeline') return nodeResult(node, at)
  const [only, ...others] = node.commands
  if (only && others.length === 0) {
    const steps = nodeResult(only, at)
    const isNegated = node.prefixes.some(it => it.type === 'Negation')
    return isNegated ? resultInPlace(steps.effects, unionOfCwds(steps.onSuccess, steps.onFailure)) : steps
  }
  return pipedResult(node.commands, at)
}

function andOrResult({ commands, operators }: Extract<Statement['command'], { type: 'AndOr' }>, at: Cwds): StepResult {
  const [first, ...rest] = commands
  if (!first) return resultInPlace([], at)
  return rest.reduce(
    (before, command, i) => {
      const isAnd = operators[i] === '&&'
      const next = pipelineResult(command, isAnd ? before.onSuccess : before.onFailure)
      const effects = [...before.effects, ...next.effects]
      return isAnd
        ? { effects, onSuccess: next.onSuccess, onFailure: unionOfCwds(before.onFailure, next.onFailure) }
        : { effects, onSuccess: unionOfCwds(before.onSuccess, next.onSuccess), onFailure: next.onFailure }
    },
    pipelineResult(first, at),
  )
}

function resultInPlace(effects: readonly Effect[], at: Cwds): StepResult {
  return { effects, onSuccess: at, onFailure: at }
}

function nodeResult(node: CommandNode, at: Cwds): StepResult {
  const within = nestedEffects(node, at)
  const steps = bodyResult(node, at)
  return { ...steps, effects: [...within, ...steps.effects] }
}

function bodyResult(node: CommandNode, at: Cwds): StepResult {
  switch (node.type) {
    case 'Command':
      return commandEffects(node, at, (script, from) => statementsResult(script, from).effects)
    case 'Redirected': {
      const inner = bodyResult(node.command, at)
      const effects = [...effectsFromLineStart(redirectEffects(node.redirects), at), ...inner.effects]
      // When a redirect fails, nothing in it runs.
      return { effects, onSuccess: inner.onSuccess, onFailure: unionOfCwds(inner.onFailure, at) }
    }
    case 'Subshell':
      return resultInPlace(statementsResult(node.body.commands, at).effects, at)
    case 'BraceGroup':
      return statementsResult(node.body.commands, at)
    case 'TestCommand':
    case 'ArithmeticCommand':
      return resultInPlace([], at)
    case 'If':
    case 'Case':
      return branchesResult(listsIn(node), at)
    case 'For':
    case 'Select': {
      const steps = loopResult(listsIn(node), at)
      return { ...steps, effects: [...assignmentEffects(node.name.text), ...steps.effects] }
    }
    default:
      return loopResult(listsIn(node), at)
  }
}

// Which branches run is not known, so each starts in every folder that the ones before it may have left.
function branchesResult(lists: readonly CompoundList[], at: Cwds): StepResult {
  let from = at
  const effects: Effect[] = []
  for (const list of lists) {
    const steps = statementsResult(list.commands, from)
    effects.push(...steps.effects)
    from = unionOfCwds(from, steps.onSuccess)
  }
  return resultInPlace(effects, from)
}

// The folder after a loop that changes it depends on the number of rounds, and on where in it the last one ends.
function loopResult(lists: readonly CompoundList[], at: Cwds): StepResult {
  const once = branchesResult(lists, at)
  const text = lists.map(nodeText).join(' ')
  const leavesElsewhere = /\b(?:break|continue)\b/.test(text) && /\b(?:cd|pushd|popd)\b/.test(text)
  if (at === null || (once.onSuccess?.length === at.length && !leavesElsewhere)) return once
  return resultInPlace([...once.effects, ...branchesResult(lists, null).effects], null)
}

function listsIn(node: CommandNode): CompoundList[] {
  switch (node.type) {
    case 'If':
      return [
        node.clause,
        node.then,
        ...node.elif.flatMap(it => [it.clause, it.then]),
        ...(node.else ? [node.else] : []),
      ]
    case 'While':
      return [node.clause, node.body]
    case 'For':
    case 'ArithmeticFor':
    case 'Select':
      return [node.body]
    case 'Case':
      return node.items.map(it => it.body)
    case 'Function':
    case 'Coproc':
      return node.body.type === 'CompoundList' ? [node.body] : asSingleList(node.body)
    default:
      return []
  }
}

function asSingleList(node: CommandNode): CompoundList[] {
  const { pos, end } = node
  return [
    { type: 'CompoundList', pos, end, commands: [{ type: 'Statement', pos, end, command: node, background: false }] },
  ]
}

/** The effects of the scripts nested in a command's own words, without those of the commands that it contains. */
function nestedEffects(node: CommandNode, at: Cwds): Effect[] {
  return ownWords(node)
    .flatMap(nestedScripts)
    .flatMap(it => statementsResult(it.commands, at).effects)
}

function ownWords(node: CommandNode): SyntaxNode[] {
  switch (node.type) {
    case 'Command':
    case 'TestCommand':
    case 'ArithmeticCommand':
      return [node]
    case 'Redirected':
      return [...node.redirects, ...ownWords(node.command)]
    case 'For':
    case 'Select':
      return [...(node.wordlist ?? [])].flatMap(it => [asNode(it)])
    case 'Case':
      return [asNode(node.word), ...node.items.flatMap(it => it.pattern.map(asNode))]
    case 'ArithmeticFor':
      return [node.initialize, node.test, node.update].flatMap(it => (it ? [it] : []))
    default:
      return []
  }
}

function asNode(node: SyntaxNode): SyntaxNode {
  return node
}

// Each part of a pipeline has its own shell, except the last one in some shells.
function pipedResult(commands: readonly CommandNode[], at: Cwds): StepResult {
  const parts = commands.map(it => nodeResult(it, at))
  const effects = parts.flatMap(it => it.effects)
  const end = unionOfCwds(at, parts.at(-1)?.onSuccess ?? null)
  // The output of one part may be the script of the next.
  const isOpaque = effects.some(it => it.kind === 'opaque')
  return resultInPlace(isOpaque ? [...effects, ...governanceMentions(commands.map(nodeText).join(' '))] : effects, end)
}
