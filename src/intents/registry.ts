import * as z from 'zod'
import type { Problem } from '../report/finding.ts'
import { malformation } from '../scope/globs.ts'
import { type Intent, STATUSES } from './intent.ts'
import { REGISTRY_PATH } from './paths.ts'
import { registryProblems } from './registry-rules.ts'
import { byLine, orElse, readYaml } from './read-yaml.ts'

const ID_PATTERN = /^[A-Z][A-Z0-9]*-\d+$/

/** Reads a whole registry: its intents with every default filled in, and all that is wrong. Never throws. */
export function readRegistry(text: string): { readonly intents: readonly Intent[]; readonly problems: Problem[] } {
  const reading = readYaml(REGISTRY_PATH, text, registry)
  const problems = [...reading.problems, ...registryProblems(REGISTRY_PATH, reading)].sort(byLine)
  return { intents: problems.length === 0 ? (reading.value?.active_intents ?? []) : [], problems }
}

const text = z.string({ error: 'text' })
const filled = text.min(1, { error: 'text that is not empty' })
const id = text.regex(ID_PATTERN, { error: 'an id such as INT-001' })
const list = <T extends z.ZodType>(item: T) => orElse(z.array(item, { error: 'a list' }), [] as z.output<T>[])
const moment = z.union([z.iso.datetime({ offset: true, local: true }), z.iso.date()], {
  error: 'a time such as 2026-11-20T10:00:00Z',
})

const scopePattern = text.check(context => {
  const wanted = malformation(context.value)
  if (wanted !== null) context.issues.push({ code: 'custom', input: context.value, message: wanted })
})

const check = z.strictObject(
  {
    cmd: filled,
    timeout: z.number({ error: 'seconds' }).positive({ error: 'seconds above 0' }).optional(),
  },
  { error: 'only `cmd` and `timeout`' },
)

const intent = z.strictObject(
  {
    id,
    name: filled,
    description: orElse(text, ''),
    status: z.enum(STATUSES, { error: `one of ${STATUSES.join(', ')}` }),
    owned_scope: list(scopePattern),
    constraints: list(text),
    acceptance_criteria: list(
      z.union([filled, check], { error: 'text, or a check such as { cmd: "npm test", timeout: 300 }' }),
    ),
    appetite: orElse(z.enum(['Small', 'Batch', 'Big'], { error: 'one of Small, Batch, Big' }), 'Batch' as const),
    non_goals: list(text),
    related_specs: list(z.strictObject({ type: filled, url: filled }, { error: 'a map of `type` and `url`' })),
    depends_on: list(id),
    created_at: orElse(moment, null),
    updated_at: orElse(moment, null),
  },
  { error: issue => (issue.code === 'unrecognized_keys' ? 'a known key of an intent' : 'an intent (a map)') },
)

const registry = z.strictObject(
  {
    version: z.literal(1, { error: '1' }).optional(),
    active_intents: list(intent),
  },
  {
    error: issue =>
      issue.code === 'unrecognized_keys' ? 'only `version` and `active_intents`' : 'a map with `active_intents`',
  },
)
