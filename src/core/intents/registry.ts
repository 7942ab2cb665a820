import * as z from 'zod'
import type { Problem } from '../base/finding.ts'
import { alternativesIn, ALTERNATIVES_MAX } from '../base/brace-alternatives.ts'
import { malformation } from '../base/globs.ts'
import { type Intent, INTENT_STATUSES, type IntentStatus } from './intent.ts'
import { isOpen } from './lifecycle.ts'
import { onceForText } from '../base/once-for.ts'
import { REGISTRY_PATH } from '../base/governance-files.ts'
import { intentFilePath, type RegistryPart, registryParts } from './registry-text.ts'
import { byLine, excerptAt, readYaml, withDefault, type YamlPath, type YamlReading } from '../base/read-yaml.ts'

const ID_PATTERN = /^[A-Z][A-Z0-9]*-\d+$/

/**
 * Reads a registry: its intents with all defaults filled in, and all problems. Never throws. A judgement of many
 * commits asks for few texts many times, and a registry of many files changes in one of them.
 */
export const readRegistry: (text: string) => RegistryReading = onceForText(8, text =>
  readWhole(registryParts(text).map(it => readKnownPart(`${it.path}\n${it.text}`))),
)

const readKnownPart = onceForText(2000, pathAndText => {
  const end = pathAndText.indexOf('\n')
  return readPart({ path: pathAndText.slice(0, end), text: pathAndText.slice(end + 1) })
})

/** Reads one file of a registry by itself: what it depends on may be in another file. */
export function readRegistryFile(part: RegistryPart): RegistryReading {
  const reading = readPart(part)
  const problems = [...reading.problems, ...fileProblems([reading])].sort(byLine)
  return { intents: problems.length === 0 ? reading.intents : [], problems }
}

type RegistryReading = { readonly intents: readonly Intent[]; readonly problems: readonly Problem[] }

/** A file of a registry, with all its intents as the list has them. */
type PartReading = RawRegistry & RegistryReading & { readonly file: string }

function readPart({ path, text }: RegistryPart): PartReading {
  if (path === REGISTRY_PATH) {
    const { value, raw, ...reading } = readYaml(path, text, withinGlobs.pipe(registry))
    return { ...reading, file: path, raw, intents: value?.active_intents ?? [] }
  }
  const { value, raw, problems, lineAt } = readYaml(path, text, withinGlobs.pipe(intent))
  const inList = (place: YamlPath) => lineAt(place.slice(2))
  const isNamed = value === null || intentFilePath(value.id) === path
  const named = isNamed ? [] : [{ file: path, line: inList(['active_intents', 0, 'id']), ...misnamed(value.id) }]
  const asList = { active_intents: [raw] }
  return { file: path, raw: asList, lineAt: inList, problems: [...problems, ...named], intents: value ? [value] : [] }
}

function misnamed(id: string): Pick<Problem, 'expected' | 'found'> {
  return { expected: 'the id that the name of this file is', found: id }
}

function readWhole(readings: readonly PartReading[]): RegistryReading {
  const across = registryProblems(readings)
  const problems = readings.flatMap(({ file, problems }) =>
    [...problems, ...across.filter(it => it.file === file)].sort(byLine),
  )
  return { intents: problems.length === 0 ? readings.flatMap(it => it.intents) : [], problems }
}

/** The intents whose status in a registry is IN_PROGRESS, which a hand or an earlier kotef wrote there. */
export function writtenInProgress(text: string): ReadonlySet<string> {
  const listed = registryParts(text).flatMap(it => listAt(readPart(it).raw, 'active_intents'))
  const begun = listed.filter(it => Object(it).status === 'IN_PROGRESS')
  return new Set(begun.map(it => String(Object(it).id)))
}

const text = z.string({ error: 'text' })
const filled = text.min(1, { error: 'text that is not empty' })
const id = text.regex(ID_PATTERN, { error: 'an id such as INT-001' })
const listOrEmpty = <T extends z.ZodType>(item: T) =>
  withDefault(z.array(item, { error: 'a list' }), [] as z.output<T>[])
const moment = z.union([z.iso.datetime({ offset: true, local: true }), z.iso.date()], {
  error: 'a time such as 2026-11-20T10:00:00Z',
})
const atLeastOne = z.number({ error: 'a number' }).int({ error: 'a whole number' }).min(1, { error: '1 or more' })

// The globs of all intents together, with their braces expanded. Aliases can repeat a list as well.
const GLOBS_MAX = 50_000
const PROBLEMS_MAX = 1000

// Before anything else is checked: each of the globs takes time.
const withinGlobs = z.unknown().check(context => {
  const listed = [context.value, ...listAt(context.value, 'active_intents')]
  let globs = 0
  for (const [n, it] of listed.entries()) {
    for (const glob of listAt(it, 'owned_scope')) globs += Math.min(alternativesIn(String(glob)), ALTERNATIVES_MAX)
    if (globs <= GLOBS_MAX) continue
    const path = [...(n === 0 ? [] : ['active_intents', n - 1]), 'owned_scope']
    const id = String(Object(it).id)
    const message = `at most ${GLOBS_MAX} globs in all intents together, up to ${id},`
    context.issues.push({ code: 'custom', input: null, message, path })
    return
  }
})

const scopePattern = text.check(context => {
  const wanted = malformation(context.value)
  if (wanted !== null) context.issues.push({ code: 'custom', input: context.value, message: wanted })
})

// Relative, and not above the repository.
const FOLDER = /^(?!\/)(?!(?:.*\/)?\.\.(?:\/|$))/
const VARIABLE = /^[A-Za-z_]\w*$/

const check = z.strictObject(
  {
    cmd: filled,
    timeout: z.number({ error: 'seconds' }).positive({ error: 'seconds above 0' }).optional(),
    cwd: filled.regex(FOLDER, { error: 'a folder of the repository, such as packages/api' }).optional(),
    env: z.array(text.regex(VARIABLE, { error: 'the name of a variable' }), { error: 'a list of names' }).optional(),
    inputs: z.array(scopePattern, { error: 'a list of globs' }).min(1, { error: 'at least one glob' }).optional(),
  },
  { error: 'only `cmd`, `timeout`, `cwd`, `env` and `inputs`' },
)

// IN_PROGRESS is a live status: a registry in which a hand, or an earlier kotef, wrote it means an open intent.
function declaredStatus(status: IntentStatus): IntentStatus {
  return isOpen(status) ? 'PENDING' : status
}

const intent = z.strictObject(
  {
    id,
    name: filled,
    description: withDefault(text, ''),
    status: withDefault(
      z.enum(INTENT_STATUSES, { error: `one of ${INTENT_STATUSES.join(', ')}` }),
      'PENDING' as const,
    ).transform(declaredStatus),
    owned_scope: listOrEmpty(scopePattern),
    constraints: listOrEmpty(text),
    acceptance_criteria: listOrEmpty(
      z.union([filled, check], { error: 'text, or a check such as { cmd: "npm test", timeout: 300 }' }),
    ),
    appetite: withDefault(z.enum(['Small', 'Batch', 'Big'], { error: 'one of Small, Batch, Big' }), 'Batch' as const),
    non_goals: listOrEmpty(text),
    related_specs: listOrEmpty(z.strictObject({ type: filled, url: filled }, { error: 'a map of `type` and `url`' })),
    depends_on: listOrEmpty(id),
    kind: z.literal('refactor', { error: '`refactor`' }).optional(),
    standing: z.boolean({ error: 'true or false' }).optional(),
    limits: z
      .strictObject(
        { files: atLeastOne.optional(), lines: atLeastOne.optional() },
        { error: 'a map of `files` and `lines`' },
      )
      .optional(),
    created_at: withDefault(moment, null),
    updated_at: withDefault(moment, null),
  },
  { error: issue => (issue.code === 'unrecognized_keys' ? 'a known key of an intent' : 'an intent (a map)') },
)

const registry = z.strictObject(
  {
    version: z.literal(1, { error: '1' }).optional(),
    active_intents: listOrEmpty(intent),
  },
  {
    error: issue =>
      issue.code === 'unrecognized_keys' ? 'only `version` and `active_intents`' : 'a map with `active_intents`',
  },
)

type RawRegistry = Pick<YamlReading<unknown>, 'raw' | 'lineAt'>
type RegistryFile = RawRegistry & { readonly file: string }
type Mention = { readonly id: string; readonly path: YamlPath; readonly of: RegistryFile }
type IntentNode = Mention & { readonly dependsOn: readonly Mention[] }

/** The problems that a schema can't find: duplicate ids, unknown dependencies, circular dependencies. */
export function registryProblems(files: readonly RegistryFile[]): Problem[] {
  return [
    ...fileProblems(files),
    ...danglingReferences(nodesOf(files))
      .slice(0, PROBLEMS_MAX)
      .map(it => problemAt(it, 'the id of another intent in the registry')),
  ]
}

// These can be found in a part of a registry as well.
function fileProblems(files: readonly RegistryFile[]): Problem[] {
  const nodes = nodesOf(files)
  return [
    ...repeatedIds(nodes)
      .slice(0, PROBLEMS_MAX)
      .map(it => problemAt(it, `an id of its own, because an earlier intent is ${it.id}`)),
    ...circularIntents(nodes).map(it =>
      problemAt(it, 'an intent that does not wait for itself', `${it.id} in its own depends_on`),
    ),
  ]
}

function problemAt({ path, of: { file, raw, lineAt } }: Mention, expected: string, found?: string): Problem {
  return { file, line: lineAt(path), expected, found: found ?? excerptAt(raw, path) }
}

function nodesOf(files: readonly RegistryFile[]): IntentNode[] {
  return files.flatMap(of => listAt(of.raw, 'active_intents').flatMap((it, n) => nodeAt(of, it, n)))
}

function nodeAt(of: RegistryFile, intent: unknown, n: number): IntentNode[] {
  const id: unknown = Object(intent).id
  const path = ['active_intents', n]
  const dependsOn = listAt(intent, 'depends_on').flatMap((to, k) => {
    return typeof to === 'string' ? [{ id: to, path: [...path, 'depends_on', k], of }] : []
  })
  return typeof id === 'string' ? [{ id, path: [...path, 'id'], dependsOn, of }] : []
}

function listAt(value: unknown, key: string): readonly unknown[] {
  const list: unknown = Object(value)[key]
  return Array.isArray(list) ? list : []
}

function repeatedIds(nodes: readonly IntentNode[]): IntentNode[] {
  const seen = new Set<string>()
  return nodes.filter(({ id }) => seen.size === seen.add(id).size)
}

function danglingReferences(nodes: readonly IntentNode[]): Mention[] {
  const known = new Set(nodes.map(it => it.id))
  return nodes.flatMap(it => it.dependsOn).filter(it => !known.has(it.id))
}

// Takes away, again and again, what waits for nothing that is left: what is left waits for a circle.
function withoutEnds(nodes: readonly IntentNode[]): readonly IntentNode[] {
  const ids = new Set(nodes.map(it => it.id))
  const waiting = new Map<string, IntentNode[]>()
  const left = new Map(nodes.map(node => [node, 0]))
  for (const node of nodes)
    for (const { id } of node.dependsOn.filter(it => ids.has(it.id))) {
      left.set(node, (left.get(node) ?? 0) + 1)
      waiting.set(id, [...(waiting.get(id) ?? []), node])
    }
  const ends = nodes.filter(it => left.get(it) === 0)
  // Iterating over a list that grows visits each intent once.
  for (const { id } of ends)
    for (const node of waiting.get(id) ?? []) {
      left.set(node, (left.get(node) ?? 0) - 1)
      if (left.get(node) === 0) ends.push(node)
    }
  const gone = new Set(ends)
  return nodes.filter(it => !gone.has(it))
}

function circularIntents(nodes: readonly IntentNode[]): IntentNode[] {
  const next = new Map(nodes.map(({ id, dependsOn }) => [id, dependsOn.map(it => it.id)]))
  return withoutEnds(nodes)
    .slice(0, PROBLEMS_MAX)
    .filter(({ id }) => {
      const reached = new Set(next.get(id))
      // Iterating over a set that grows visits each intent once.
      for (const it of reached) for (const further of next.get(it) ?? []) reached.add(further)
      return reached.has(id)
    })
}
