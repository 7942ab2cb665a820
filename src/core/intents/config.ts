import * as z from 'zod'
import type { Problem } from '../base/finding.ts'
import { malformation } from '../base/globs.ts'
import { CONFIG_PATH, INTENTIGNORE_PATH, PROJECT_POLICY_PATH } from '../base/governance-files.ts'
import { PUBLIC_FIELDS, type PublicField } from '../outgoing/public-fields.ts'
import { AGENT_LIMIT_NAMES } from '../runs/limits.ts'
import { ENFORCED_RULES, ENFORCEMENTS, isDay } from './enforcement.ts'
import { withDefault, readYaml } from '../base/read-yaml.ts'

/** The content of `.orchestration/config.yaml`, with all defaults filled in. */
export type Config = z.output<typeof config>

/** Reads a config; `text` is null without a config file, which means all defaults. Never throws. */
export function readConfig(text: string | null): { readonly config: Config; readonly problems: readonly Problem[] } {
  const { value, problems } = readYaml(CONFIG_PATH, text ?? '', config)
  return { config: value ?? config.parse(null), problems }
}

// The page has their names: there are too many for a line.
const RULES_WITH_LEVEL = 'rules whose level a team may set (`kotef explain config-invalid` lists them)'

/** The governance files: no intent's scope covers them. The rules exempt the files that kotef itself writes into. */
export const GOVERNANCE_GLOBS: readonly string[] = [
  '.orchestration/**',
  '!.orchestration/AGENT.md',
  '!.orchestration/intent_map.md',
  '!.orchestration/agent_trace.jsonl',
  PROJECT_POLICY_PATH,
  INTENTIGNORE_PATH,
  '.husky/**',
  '.claude/**',
  '.codex/**',
  '.cursor/**',
  '.gemini/**',
  '.github/hooks/**',
  '.opencode/**',
  'opencode.json',
  'opencode.jsonc',
  '.clinerules/**',
  '.mcp.json',
  '.github/mcp.json',
  '.vscode/mcp.json',
  'AGENTS.md',
  'CLAUDE.md',
  'GEMINI.md',
]

// A list of nothing but exceptions would govern nothing.
function withGovernanceGlobs(own: readonly string[]): readonly string[] {
  return own.length > 0 && own.every(it => it.startsWith('!')) ? [...GOVERNANCE_GLOBS, ...own] : own
}

const address = z.string({ error: 'text' }).regex(/^\S+@\S+$/, { error: 'an e-mail address' })
const glob = z.string({ error: 'text' }).check(context => {
  const wanted = malformation(context.value)
  if (wanted !== null) context.issues.push({ code: 'custom', input: context.value, message: wanted })
})
const count = (least: number) => z.int({ error: 'a whole number' }).min(least, { error: `a number from ${least} up` })
const globs = z.array(glob, { error: 'a list of globs' })
const sectionErrors = (error: string) => ({
  error: (issue: { code: string }) => (issue.code === 'unrecognized_keys' ? 'a known key' : error),
})

/** The globs of what is never recorded: those of the config, and the folder in which `git filter-branch` works. */
export function unwatchedGlobs({ ignored }: Config['watch']): string[] {
  return [...ignored, '.git-rewrite/**']
}

const WATCH_BACKENDS = ['auto', 'chokidar', 'directories', 'polling'] as const

const watch = z.strictObject(
  {
    backend: withDefault(z.enum(WATCH_BACKENDS, { error: 'auto, chokidar, directories or polling' }), 'auto' as const),
    settle_ms: withDefault(count(0), 20),
    text_bytes_max: withDefault(count(0), 1_048_576),
    ignored: withDefault(globs, ['**/node_modules/**']),
    autostart: withDefault(z.boolean({ error: 'true or false' }), true),
  },
  sectionErrors('a map of `backend`, `settle_ms`, `text_bytes_max`, `ignored` and `autostart`'),
)

// Anybody can set a commit's author, so a bot is exempt only for the paths that the config lists.
const bot = z.strictObject({ email: address, paths: globs }, sectionErrors('a map of `email` and `paths`'))

// How the forge brings a pull request to its target branch.
const LANDINGS = ['any', 'merge', 'squash', 'rebase'] as const

const verify = z.strictObject(
  {
    governance: withDefault(z.enum(['review', 'strict'], { error: 'review or strict' }), 'review' as const),
    lands: withDefault(z.enum(LANDINGS, { error: 'any, merge, squash or rebase' }), 'any' as const),
  },
  sectionErrors('a map of `governance` and `lands`'),
)

const freedom = withDefault(z.enum(['allow', 'deny'], { error: 'allow or deny' }), 'allow' as const)

const agents = z.strictObject(
  { temporary: freedom, ignored: freedom },
  sectionErrors('a map of `temporary` and `ignored`'),
)

const runs = z.strictObject(
  {
    profile: withDefault(
      z.enum(['default', 'strict', 'fast', 'smoke', 'yolo', 'off'], {
        error: 'default, strict, fast, smoke, yolo or off',
      }),
      'default' as const,
    ),
    limits: withDefault(
      z.partialRecord(z.enum(AGENT_LIMIT_NAMES), count(0), { error: `limits among ${AGENT_LIMIT_NAMES.join(', ')}` }),
      {},
    ),
    hold_at_stop: withDefault(z.boolean({ error: 'true or false' }), true),
  },
  sectionErrors('a map of `profile`, `limits` and `hold_at_stop`'),
)

const handover = z.strictObject(
  { gates: withDefault(z.enum(['anyone', 'person'], { error: 'anyone or person' }), 'anyone' as const) },
  sectionErrors('a map with `gates`'),
)

const map = z.strictObject(
  { update: withDefault(z.enum(['asked', 'commits'], { error: 'asked or commits' }), 'asked' as const) },
  sectionErrors('a map with `update`'),
)

const notes = z.strictObject(
  { fetch: withDefault(z.enum(['once', 'asked'], { error: 'once or asked' }), 'once' as const) },
  sectionErrors('a map with `fetch`'),
)

const changeSize = z.strictObject(
  { files: count(1).optional(), lines: count(1).optional() },
  { error: 'a map of `files` and `lines`' },
)

const appetites = z.strictObject(
  { Small: changeSize.optional(), Batch: changeSize.optional(), Big: changeSize.optional() },
  { error: 'a map such as { Small: { files: 10, lines: 400 } }' },
)

const LESSON_BYTES = [4_096, 262_144] as const

const lessons = z.strictObject(
  {
    file: withDefault(z.enum(['AGENT.md', 'CLAUDE.md'], { error: 'AGENT.md or CLAUDE.md' }), 'AGENT.md' as const),
    update: withDefault(z.enum(['asked', 'commits'], { error: 'asked or commits' }), 'commits' as const),
    items: withDefault(count(0), 100),
    bytes: withDefault(
      count(LESSON_BYTES[0]).max(LESSON_BYTES[1], { error: `a number up to ${LESSON_BYTES[1]}` }),
      16_384,
    ),
  },
  sectionErrors('a map of `file`, `update`, `items` and `bytes`'),
)

const enforcement = z.enum(ENFORCEMENTS, { error: 'observe, warn or block' })

const settings = z.strictObject(
  {
    version: withDefault(z.literal(1, { error: '1' }), 1),
    needs: z
      .string()
      .regex(/^\d+\.\d+\.\d+$/, { error: 'a version of kotef, such as 0.2.0' })
      .optional(),
    id_prefix: z
      .string()
      .regex(/^[A-Z][A-Z0-9]*$/, { error: 'capital letters and digits, such as INT' })
      .optional(),
    governance: withDefault(globs.transform(withGovernanceGlobs), GOVERNANCE_GLOBS),
    enforce: withDefault(enforcement, 'block' as const),
    block_from: z.string().refine(isDay, { error: 'a day, such as 2026-12-05' }).optional(),
    rules: withDefault(z.partialRecord(z.enum(ENFORCED_RULES), enforcement, { error: RULES_WITH_LEVEL }), {}),
    rides: withDefault(globs, []),
    bots: withDefault(z.array(bot, { error: 'a list of bots' }), []),
    verify: withDefault(verify, verify.parse({})),
    claims: withDefault(z.enum(['deny', 'allow'], { error: 'deny or allow' }), 'deny'),
    unset_clones: withDefault(z.enum(['pass', 'block'], { error: 'pass or block' }), 'pass' as const),
    claims_ttl_minutes: withDefault(count(1), 240),
    opaque_commands: withDefault(
      z.enum(['allow-and-watch', 'ask', 'deny'], { error: 'allow-and-watch, ask or deny' }),
      'allow-and-watch' as const,
    ),
    agents: withDefault(agents, agents.parse({})),
    runs: withDefault(runs, runs.parse({})),
    handover: withDefault(handover, handover.parse({})),
    map: withDefault(map, map.parse({})),
    notes: withDefault(notes, notes.parse({})),
    appetites: withDefault(appetites, appetites.parse({})),
    lessons: withDefault(lessons, lessons.parse({})),
    public: withDefault(
      z.array(z.enum(PUBLIC_FIELDS, { error: PUBLIC_FIELDS.join(' or ') }), { error: 'a list of fields' }),
      [] as PublicField[],
    ),
    watch: withDefault(watch, watch.parse({})),
    anchor: withDefault(z.enum(['none', 'trailer'], { error: 'none or trailer' }), 'none'),
  },
  sectionErrors('a map of settings'),
)

const config = withDefault(settings, settings.parse({}))

/** How much the work on an intent may change, by its appetite. */
export type Appetites = Config['appetites']

/** Whether agents may write temporary files, and files that git ignores. */
export type AgentFreedom = Config['agents']

/** Who may answer the questions of gates and of security in a handover. */
export type HandoverGates = Config['handover']['gates']

/** What to do about a command whose writes kotef can't determine from its text. */
export type OpaqueCommandPolicy = Config['opaque_commands']
