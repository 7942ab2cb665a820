import type { CommandNode, CompoundList, PipelineNode, Statement, SyntaxNode } from 'unbash'
import { commandDeeds } from './command.ts'
import type { Deed } from './deed.ts'
import { nestedScripts } from './hazards.ts'
import { mentionsIn, textIn } from './mentions.ts'
import { redirectDeeds } from './redirects.ts'
import { assignmentDeeds } from './shell-words.ts'
import { allPlaces, type Cwds, type Steps, unplaced } from './steps.ts'

/** What a list of statements does, one after the other. */
export function walk(statements: readonly Statement[], from: Cwds): Steps {
  const deeds: Deed[] = []
  let at = from
  for (const it of statements) {
    const steps = stepsOf(it.command, at)
    deeds.push(...steps.deeds)
    // What runs in the background moves nobody else.
    at = it.background ? at : allPlaces(steps.ok, steps.failed)
  }
  return { deeds, ok: at, failed: at }
}

function stepsOf(node: PipelineNode | Extract<Statement['command'], { type: 'AndOr' }>, at: Cwds): Steps {
  if (node.type === 'AndOr') return chained(node, at)
  if (node.type !== 'Pipeline') return commandSteps(node, at)
  const [only, ...others] = node.commands
  if (only && others.length === 0) {
    const steps = commandSteps(only, at)
    const isTurned = node.prefixes.some(it => it.type === 'Negation')
    return isTurned ? still(steps.deeds, allPlaces(steps.ok, steps.failed)) : steps
  }
  return piped(node.commands, at)
}

function chained({ commands, operators }: Extract<Statement['command'], { type: 'AndOr' }>, at: Cwds): Steps {
  const [first, ...rest] = commands
  if (!first) return still([], at)
  return rest.reduce(
    (before, command, i) => {
      const isAnd = operators[i] === '&&'
      const next = stepsOf(command, isAnd ? before.ok : before.failed)
      const deeds = [...before.deeds, ...next.deeds]
      return isAnd
        ? { deeds, ok: next.ok, failed: allPlaces(before.failed, next.failed) }
        : { deeds, ok: allPlaces(before.ok, next.ok), failed: next.failed }
    },
    stepsOf(first, at),
  )
}

function still(deeds: readonly Deed[], at: Cwds): Steps {
  return { deeds, ok: at, failed: at }
}

function commandSteps(node: CommandNode, at: Cwds): Steps {
  const within = nestedDeeds(node, at)
  const steps = bodySteps(node, at)
  return { ...steps, deeds: [...within, ...steps.deeds] }
}

function bodySteps(node: CommandNode, at: Cwds): Steps {
  switch (node.type) {
    case 'Command':
      return commandDeeds(node, at, (script, from) => walk(script, from).deeds)
    case 'Redirected': {
      const inner = bodySteps(node.command, at)
      return { ...inner, deeds: [...unplaced(redirectDeeds(node.redirects), at), ...inner.deeds] }
    }
    case 'Subshell':
      return still(walk(node.body.commands, at).deeds, at)
    case 'BraceGroup':
      return walk(node.body.commands, at)
    case 'TestCommand':
    case 'ArithmeticCommand':
      return still([], at)
    case 'If':
    case 'Case':
      return branches(listsIn(node), at)
    case 'For':
    case 'Select': {
      const steps = loops(listsIn(node), at)
      return { ...steps, deeds: [...assignmentDeeds(node.name.text), ...steps.deeds] }
    }
    default:
      return loops(listsIn(node), at)
  }
}

// Whether a part of these runs is not known, so the next one begins wherever any before it may have ended.
function branches(lists: readonly CompoundList[], at: Cwds): Steps {
  let from = at
  const deeds: Deed[] = []
  for (const list of lists) {
    const steps = walk(list.commands, from)
    deeds.push(...steps.deeds)
    from = allPlaces(from, steps.ok)
  }
  return still(deeds, from)
}

// A loop that ends elsewhere than it began can't be followed round.
function loops(lists: readonly CompoundList[], at: Cwds): Steps {
  const once = branches(lists, at)
  if (once.ok?.length === at?.length) return once
  return still([...once.deeds, ...branches(lists, null).deeds], null)
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
      return node.body.type === 'CompoundList' ? [node.body] : listOf(node.body)
    default:
      return []
  }
}

function listOf(node: CommandNode): CompoundList[] {
  const { pos, end } = node
  return [
    { type: 'CompoundList', pos, end, commands: [{ type: 'Statement', pos, end, command: node, background: false }] },
  ]
}

/** What a command does in the scripts within its own words, not in those of the commands that it holds. */
function nestedDeeds(node: CommandNode, at: Cwds): Deed[] {
  return ownWords(node)
    .flatMap(nestedScripts)
    .flatMap(it => walk(it.commands, at).deeds)
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

// Each part of a pipeline has a shell of its own, but in some shells the last one.
function piped(commands: readonly CommandNode[], at: Cwds): Steps {
  const parts = commands.map(it => commandSteps(it, at))
  const deeds = parts.flatMap(it => it.deeds)
  const end = allPlaces(at, parts.at(-1)?.ok ?? null)
  // What one part says, the next one may run.
  const isOpaque = deeds.some(it => it.does === 'opaque')
  return still(isOpaque ? [...deeds, ...mentionsIn(commands.map(textIn).join(' '))] : deeds, end)
}
