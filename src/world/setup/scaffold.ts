import { dirname, join } from 'node:path'
import { skipWorktreePaths } from '../../core/git/index-entries.ts'
import { readConfig } from '../../core/intents/config.ts'
import { readRegistry } from '../../core/intents/registry.ts'
import { withEnforcement, withGlobs } from '../../core/intents/edit-yaml.ts'
import type { Enforcement } from '../../core/intents/enforcement.ts'
import { splitAtMarkers, withMapBlock } from '../../core/code/map/map-block.ts'
import { isGeneratedBlock } from '../../core/code/map/map-text.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { CONFIG_PATH, INTENT_MAP_PATH, INTENTS_FOLDER, REGISTRY_PATH } from '../../core/base/governance-files.ts'
import { announceOwnWrite } from '../io/worktree/own-writes.ts'
import { layoutOf } from '../io/worktree/layout.ts'
import { CHORES_NAME, isChoreGlob, LOCK_FILES } from './propose-chores.ts'

/** Writes the missing files of a governed repository, and returns their paths. */
export async function writeScaffold(workspace: Workspace): Promise<string[]> {
  const created: string[] = []
  // A sparse checkout can leave out a tracked file, which must not be written again.
  const sparsePaths = await workspace.git.ask(skipWorktreePaths(SCAFFOLD_PATHS))
  for (const [path, text] of SCAFFOLD_FILES) {
    if (sparsePaths.has(path)) continue
    if (await writeIfMissing(workspace, join(workspace.root, path), text)) created.push(path)
  }
  return created
}

/** How rules are enforced, and from which day on they block, such as 2026-12-05; null for never. */
export type EnforcementWish = { readonly enforce: Enforcement; readonly blockFrom: string | null }

/** Writes into the config how rules are enforced; true when that changed it. */
export async function setEnforcement(workspace: Workspace, wish: EnforcementWish): Promise<boolean> {
  const path = layoutOf(workspace).config
  const text = (await workspace.files.read(path))?.toString('utf8') ?? ''
  const { enforce, block_from = null } = readConfig(text).config
  if (enforce === wish.enforce && block_from === wish.blockFrom) return false
  const edited = withEnforcement(text, wish)
  await announceOwnWrite(workspace, Buffer.from(edited))
  await workspace.files.replace(path, edited)
  return true
}

/** Lets files go with the work for any intent. */
export async function addRides(workspace: Workspace, globs: readonly string[]): Promise<void> {
  const path = layoutOf(workspace).config
  const text = (await workspace.files.read(path))?.toString('utf8') ?? ''
  const known: readonly string[] = readConfig(text).config.rides
  const missing = globs.filter(it => !known.includes(it))
  if (missing.length === 0) return
  const edited = withGlobs(text, 'rides', missing)
  await announceOwnWrite(workspace, Buffer.from(edited))
  await workspace.files.replace(path, edited)
}

/** True when a file has the content that kotef gave it. */
export function isUnchangedScaffold(path: string, text: string): boolean {
  if (path === INTENT_MAP_PATH) return isUnchangedMap(text)
  const texts = [...SCAFFOLD_FILES, TEAM_FILE].flatMap(it => (it[0] === path ? [it[1]] : []))
  if (path === REGISTRY_PATH && isOnlyChores(text)) return true
  const plain = withoutRides(text.replace(/^enforce: \w+\n(block_from: \S+\n)?/m, ''))
  return texts.includes(plain) || (path === SCAFFOLD_PATHS[0] && text === EMPTY_REGISTRY)
}

// What `kotef init` adds of itself: a standing intent for files that it knows.
function isOnlyChores(text: string): boolean {
  const { intents, problems } = readRegistry(text)
  const [chores, ...more] = intents
  const commentsOf = (it: string) => it.slice(0, it.search(/^version:/m))
  return (
    problems.length === 0 &&
    more.length === 0 &&
    chores?.name === CHORES_NAME &&
    chores.standing === true &&
    chores.owned_scope.every(isChoreGlob) &&
    chores.constraints.length + chores.acceptance_criteria.length === 0 &&
    commentsOf(text) === commentsOf(REGISTRY_TEXT)
  )
}

// Lock files are what kotef itself lists there.
function withoutRides(text: string): string {
  const [block = ''] = /^rides:\n(?: *- .*\n)+|^rides: \[.*\]\n/m.exec(text) ?? []
  const items = block.replace(/^rides:/, '').match(/[\w.-]*\w/g) ?? []
  return items.every(it => LOCK_FILES.includes(it)) ? text.replace(block, '') : text
}

// The block has what kotef found, and a checkout may give the file other line ends.
function isUnchangedMap(text: string): boolean {
  const marked = splitAtMarkers(text.replaceAll('\r\n', '\n'))
  return marked !== null && withMapBlock(marked, '') === INTENT_MAP_TEXT && isGeneratedBlock(marked.block)
}

const REGISTRY_TEXT = `# The intents of this repository: which work is wanted, and which paths each of them owns.
# Edit it here, or with \`kotef intent add|edit|block|complete|reopen|abandon\`. An intent in full:
#
#   - id: INT-001
#     name: JWT authentication migration
#     status: PENDING                    # PENDING | BLOCKED | COMPLETED | ABANDONED
#     owned_scope: ["src/auth/**", "src/middleware/jwt.ts", "!src/auth/legacy/**"]
#     constraints: ["DO NOT add external auth providers"]
#     acceptance_criteria:
#       - "A person has tried to log in"               # closed by a person
#       - { cmd: "npm test -- test/auth", timeout: 300 } # closed by its exit code
#     appetite: Small                    # Small | Batch | Big
#
# An intent for chores, never completed; without a session, it serves small commits of people:
#
#   - id: CHORE-001
#     name: chores
#     standing: true
#     limits: { files: 5, lines: 100 }
#     owned_scope: ["README.md", "package.json"]
version: 1
active_intents: []
`

const CONFIG_TEXT = `# Policy of this repository. Every key has a default, shown here; an unknown key is an error.
#
# governance: what no intent's scope reaches, as globs; it changes in commits that carry \`Governance: why\`.
#   The default is .orchestration/**, .sdd/KOTEF.md, .intentignore, .husky/** and the agents' own configuration.
# enforce: block        # observe | warn | block: record a broken rule only, print it, or refuse
# block_from:           # a day such as 2026-12-05: enforce is block from then on, whatever it says
# rules: {}             # the same for single rules, by their codes: { in-scope: warn }
# unset_clones: pass    # pass | block: commits in a clone that has tracked hooks, and no kotef
# claims: deny          # deny | allow: may two sessions work on one intent
# claims_ttl_minutes: 240 # a claim whose session has given no sign of life for so long holds no more
# opaque_commands: allow-and-watch # allow-and-watch | ask | deny: an agent's command whose writes can't be read off it
# agents:               # what agents may write besides the scope: allow | deny
#   temporary: allow    # files in TMPDIR, /tmp and /var/tmp
#   ignored: allow      # files that git ignores
# bots: []              # whose commits need no intent: { email: bot@example.com, paths: ["package-lock.json"] }
# verify:
#   governance: review  # review | strict: does a change that allows more stop a merge that nobody approved it for
# runs:                 # the run of an agent's session: stopped in a loop, and done when its checks pass
#   profile: default    # default | strict | fast | smoke | yolo | off
#   limits: {}          # single limits of docs/runs.md, 0 for none: { sameErrorStop: 6 }
#   hold_at_stop: true  # an agent that stops while a check of its intent has not passed is sent back
# lessons:              # what was learned here, kept by \`kotef lesson\` for the next agent
#   file: AGENT.md      # AGENT.md | CLAUDE.md: .orchestration/AGENT.md, or the prompt file of Claude Code
#   update: commits     # commits | asked: they go with commits of agents' work, or by \`kotef lesson apply\`
#   items: 100          # the most lessons; the oldest and least used go first. 0 for none
#   bytes: 16384        # their most bytes
# public: []            # command-lines, error-lines: what of agents' calls lessons and reports may have
# handover:
#   gates: anyone       # anyone | person: who answers the questions of gates and of security in a handover
# map:
#   update: asked       # asked | commits: intent_map.md changes with \`kotef map\`, or after each commit too
# notes:
#   fetch: once         # once | asked: a clone without notes gets those of its remote by itself, or by \`kotef sync\`
# appetites: {}         # what an intent may change before verify lists it: { Small: { files: 10, lines: 400 } }
# rides: [package-lock.json]   # globs of paths that may go with the work for any intent
# anchor: none          # none | trailer: each commit has the head of the ledger in a trailer Trace
# watch:
#   backend: auto       # auto | chokidar | directories | polling: how writes are seen
#   settle_ms: 20       # how long a file must rest before it is recorded
#   text_bytes_max: 1048576
#   ignored: ["**/node_modules/**"]
#   autostart: true     # a session or a commit starts the watcher when none is running
version: 1
`

const POLICY_TEXT = `# Project policy

## Constraints

<!-- Lines such as: - DO NOT add dependencies without a decision note -->

## Forbidden Paths

<!-- What nobody may change, one path or glob an item: - \`vendor/**\` -->

## Notes
`

const INTENT_MAP_TEXT = `# Intent map

<!-- kotef:begin -->
<!-- kotef:end -->
`

const LESSONS_TEXT = `# Lessons

What everybody who works here should know: people and agents.
`

const INTENTIGNORE_TEXT = `# Paths that no intent may ever touch, even when its scope matches them; as in .gitignore.
`

/** A registry without intents. */
const EMPTY_REGISTRY = 'version: 1\nactive_intents: []\n'
/** The .gitignore of .orchestration. */
const ORCHESTRATION_GITIGNORE = 'agent_trace.jsonl\n.flush-*\n*.tmp\n'

const SCAFFOLD_FILES: readonly (readonly [path: string, text: string])[] = [
  [REGISTRY_PATH, REGISTRY_TEXT],
  [CONFIG_PATH, CONFIG_TEXT],
  [INTENT_MAP_PATH, INTENT_MAP_TEXT],
  ['.orchestration/AGENT.md', LESSONS_TEXT],
  ['.orchestration/.gitignore', ORCHESTRATION_GITIGNORE],
  ['.sdd/KOTEF.md', POLICY_TEXT],
  ['.sdd/.gitignore', 'cache/\n'],
  ['.intentignore', INTENTIGNORE_TEXT],
]

// Git keeps no empty folder.
const TEAM_FILE = [
  `${INTENTS_FOLDER}/README.md`,
  `One intent a file, named by its id: \`INT-001.yaml\`. The keys are those of the list in \`${REGISTRY_PATH}\`.
\`kotef intent add\` writes here.
`,
] as const

/** The paths of these files. */
export const SCAFFOLD_PATHS: readonly string[] = [...SCAFFOLD_FILES, TEAM_FILE].map(it => it[0])

/** Makes the folder in which each intent has a file of its own, and returns the paths of the new files. */
export async function writeTeamFolder(workspace: Workspace): Promise<string[]> {
  const [path, text] = TEAM_FILE
  return (await writeIfMissing(workspace, join(workspace.root, path), text)) ? [path] : []
}

/** Creates the files that a daemon needs in a repository without `kotef init`: an empty registry and a .gitignore. */
export async function prepareObserveOnly(workspace: Workspace): Promise<void> {
  const { registry } = layoutOf(workspace)
  await writeIfMissing(workspace, registry, EMPTY_REGISTRY)
  await writeIfMissing(workspace, join(dirname(registry), '.gitignore'), ORCHESTRATION_GITIGNORE)
}

/** Writes a file of kotef's own; false when the path exists already. */
export async function writeIfMissing(workspace: Workspace, path: string, text: string): Promise<boolean> {
  if ((await workspace.files.modifiedAt(path)) !== null) return false
  await announceOwnWrite(workspace, Buffer.from(text))
  await workspace.files.replace(path, text)
  return true
}
