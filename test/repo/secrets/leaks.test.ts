import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createRun } from '../../../src/shells/run-library/create-run.ts'
import { exportPages } from '../../../src/shells/ui/server/export-pages.ts'
import { openWorkspace } from '../../../src/world/io/worktree/workspace.ts'
import { runCli } from '../../rig/command-line.ts'
import { fixture } from '../../rig/fixture.ts'
import { startOtlpReceiver } from '../../rig/otlp-receiver.ts'
import { SECRET_FORMS } from '../../rig/secrets/forms.ts'
import { type Markers, newMarkers } from '../../rig/secrets/markers.ts'
import { type SecretStory, secretStory, sessionOf } from '../../rig/secrets/story.ts'
import { filesBelow, objectsOf, type Written } from '../../rig/secrets/written.ts'
import { exportTo } from '../../rig/telemetry-export.ts'

const story = fixture(secretStory, 900_000)

const AGENTS = ['claude', 'codex', 'gemini', 'copilot', 'cursor', 'opencode', 'cline', 'generic'] as const

/** A writer: everything that it wrote, and what must be in it, so that a writer that wrote nothing is not clean. */
type Writer = {
  readonly name: string
  readonly texts: (it: SecretStory) => Promise<readonly Written[]>
  readonly has: readonly RegExp[]
}

const WRITERS: readonly Writer[] = [
  {
    name: 'the files of the worktree',
    texts: async ({ repo }) => (await filesBelow(repo.root, '')).filter(it => !it.where.startsWith('/.git/')),
    has: [
      /AGENT\.md\n[^]*` failed/,
      /\/\.sdd\/issues\.md\n[^]*aborted_stuck/,
      /issues\.md\n[^]*aborted_constraint/,
      ...AGENTS.map(it => new RegExp(`/.sdd/runs/.*${it}-session.md\n[^]*INT-001`)),
      /agent_trace\.jsonl\n[^]*"event":"check-run"/,
    ],
  },
  {
    name: 'the files in the git directory',
    texts: async ({ repo }) => (await filesBelow(join(repo.root, '.git'), '')).filter(it => !OF_GIT.test(it.where)),
    has: [/kotef\/lessons-waiting\.md\n[^]*- /, /kotef\/runs\/claude-session\.json/, /kotef\/snapshots\//],
  },
  {
    name: 'the objects and refs of the clone',
    texts: ({ repo }) => objectsOf(repo, join(repo.root, '.git'), ''),
    has: [/ refs\n[^]*refs\/notes\/kotef/, / blob [^]*` failed/],
  },
  {
    name: 'the remote',
    texts: async ({ repo }) => {
      await cli(repo, 'sync', 'origin')
      await repo.play('git -c core.hooksPath=/dev/null push -q --all origin')
      const bare = join(repo.base, 'remote.git')
      return [
        ...(await objectsOf(repo, bare, '')),
        ...(await filesBelow(bare, '')).filter(it => !/objects/.test(it.where)),
      ]
    },
    has: [/ refs\n[^]*refs\/heads\/main[^]*refs\/notes\/kotef/, / blob [^]*` failed/, /kotef\/clones\/.*claims/],
  },
  {
    name: 'the exported pages',
    texts: async ({ repo }) => {
      await exportPages(await openWorkspace(repo.root), join(repo.base, 'pages'), 60)
      return filesBelow(join(repo.base, 'pages'), '')
    },
    has: [/index\.html\n[^]*claude/, /aborted_stuck|stuck/],
  },
  {
    name: 'what a receiver of OpenTelemetry gets',
    texts: async ({ repo }) => {
      await using receiver = await startOtlpReceiver()
      await exportTo(repo, receiver)
      const { logs, spans, points, resources, headers } = receiver
      return [{ where: 'OTLP', text: JSON.stringify({ logs, spans, points, resources, headers }) }]
    },
    has: [/kotef\.check/, /aborted_stuck/, ...AGENTS.map(it => new RegExp(sessionOf(it)))],
  },
  {
    name: 'the answers to other agents',
    texts: async ({ answers }) => answers,
    has: [/the answer to generic at a prompt\n[^]*` failed/, /the answer of intent_context\n[^]*` failed/],
  },
]

const VERBS: readonly (readonly [words: string, has: RegExp])[] = [
  ['status', /^intent/],
  ['trace --limit 2000', /src\/claude.ts/],
  ['trace --commit HEAD', /src\//],
  ['trace export', /claude-session/],
  ['trace export --format csv', /src\/claude.ts/],
  ['stats', /lines added/],
  ['show INT-001', /work of claude/],
  ['why src/claude.ts:1', /INT-001/],
  ['blame src/claude.ts', /INT-001/],
  ['report HEAD~6..HEAD', /INT-001/],
  ['report HEAD~6..HEAD --format html', /INT-001/],
  ['report HEAD~6..HEAD --format json', /INT-001/],
  ['verify HEAD~6..HEAD --json', /commits/],
  ['verify HEAD~6..HEAD --sarif', /runs/],
  ['verify HEAD~6..HEAD --require-trace', /commit/],
  ['verify HEAD~6..HEAD --run-checks --sarif', /test -f src.never\.ts: ended with 1/],
  ['report HEAD~6..HEAD --run-checks', /test -f src.never\.ts: ended with 1/],
  ['runs list', /stopped, stuck/],
  ['session list', /INT-001/],
  ['intent list', /INT-001/],
  ['lesson list', /` failed/],
  ['where token password error', /src/],
  ['context', /INT-001/],
  ['contract INT-001', /DEPLOY_TOKEN/],
  ['doctor', /kotef/],
  ['approve --list', /./],
]

describe('what is said to agents, on command lines, in outputs, errors and files, is nowhere that others see', () => {
  test.each(WRITERS)('$name', async ({ texts, has }) => {
    const written = await texts(story())
    const isMissing = (it: RegExp) => !written.some(of => it.test(`${of.where}\n${of.text}`))
    const found = { missing: has.filter(isMissing), leaks: leaks(story().markers, written) }
    expect(found).toEqual({ missing: [], leaks: [] })
  })

  test.each(VERBS)('kotef %s', async (words, has) => {
    const { repo, markers } = story()
    const { text, json, stderrLines } = await cli(repo, ...words.split(' '))
    expect(text).toMatch(has)
    const printed = [text, JSON.stringify(json), ...stderrLines].join('\n')
    expect(leaks(markers, [{ where: `kotef ${words}`, text: printed }])).toEqual([])
  })
})

// Git's own copy of a message, and what only a person of this machine reads.
const OF_GIT = /^\/(objects\/|COMMIT_EDITMSG$|kotef-private\/)/

async function cli(repo: SecretStory['repo'], ...words: string[]) {
  const result = await runCli(repo, ...words)
  if (result.failure) throw result.failure
  return result
}

/** Each secret that is found, except in what the agent itself was answered. */
function leaks(markers: Markers, written: readonly (Written & { readonly agent?: string })[]): string[] {
  return written.flatMap(({ where, text, agent }) =>
    markers
      .find(text)
      .filter(({ moment }) => agent === undefined || !moment.endsWith(` of ${agent}`))
      .map(({ form, moment, as }) => `${form}, ${moment}: in ${where}, as ${as}`),
  )
}

test('what only a person of this machine reads is kept from other users', async () => {
  const folder = join(story().repo.root, '.git/kotef-private')
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const modes = entries.map(async it => {
    const { mode } = await stat(join(it.parentPath, it.name))
    return [it.name, (mode & 0o077).toString(8)]
  })
  expect(entries.length).toBeGreaterThan(0)
  expect((await Promise.all(modes)).filter(([, others]) => others !== '0')).toEqual([])
})

test('the library says nothing of a command, a result or a reason either', () => {
  const markers = newMarkers()
  const written: Written[] = []
  for (const form of SECRET_FORMS) {
    const said = (moment: string) => form.text(markers.mark({ form: form.form, moment }))
    const save = (state: unknown): void => void written.push({ where: 'the saved state', text: JSON.stringify(state) })
    const run = createRun({ checks: ['tests'], store: { load: () => null, save } })
    const command = form.command(markers.mark({ form: form.form, moment: 'a command' }))
    run.step('planner', 'coder', { reason: said('a reason') })
    run.check({ id: 'tests', command, result: 'failed', output: said('the output of a check'), tree: 'a' })
    run.diagnostic({ kind: 'error', source: 'tsc', message: said('a message') })
    run.message(said('a message of the agent'))
    run.message(said('a message of a person'), 'person')
    run.edit({ path: 'src/a.ts', before: said('a text before'), after: said('a text after') })
    run.violation({ rule: 'scope', isHard: false, detail: said('the detail of a violation') })
    for (let n = 0; n < 4; n++)
      run.tool({ tool: 'Bash', args: { command }, result: said('a result'), exit: 1, tree: 'a' })
    const decision = run.decide()
    expect(decision.status).toBe('aborted_stuck')
    written.push({ where: 'the decision', text: JSON.stringify(decision) }, { where: 'the report', text: run.report() })
  }
  expect(leaks(markers, written)).toEqual([])
})
