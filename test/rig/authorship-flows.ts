// Rows of git commands after which each line keeps its author: `testFlowsKeepAuthors`, `testFlowsTogether`.

import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { fixture } from './fixture.ts'
import { blamePath } from '../../src/world/provenance/blame.ts'
import type { BlamedLine } from '../../src/world/provenance/blamed-line.ts'
import { annotateCommits } from '../../src/world/provenance/annotate-commits.ts'
import { flushDaemon } from '../../src/world/io/daemon-client/ask-daemon.ts'
import { openWorkspace, type Workspace } from '../../src/world/io/worktree/workspace.ts'
import { applyEdits, lineText } from './flow-edits.ts'
import { governedRepo, startWatching } from './governed-repo.ts'
import { END_WHAT_STOPPED } from './operation-repo.ts'
import type { Repo } from './repo.ts'
import { type Author, type TwoAuthors, twoAuthors } from './two-authors.ts'

/**
 * A repository under a daemon in which an agent and a person write, each line of text saying who wrote it, and git does
 * one thing after the other. Each flow has a folder of its own, `src/<flow>`, with `a` and `b` of ten lines each.
 */
type AuthorshipRepo = AsyncDisposable & {
  readonly repo: Repo
  /**
   * Plays a flow from the same beginning; answers the lines whose author is not told, or is told wrong. A step is
   * `agent <file> <edit>`, `person <file> <edit>` or commands of a shell in the flow's folder. An edit is `+3 x y` for
   * two lines after the third, `=4 x` for another fourth line, `-4` to take it away, `:x y` for a whole file, and
   * `>4` to indent it. Of a text in capitals nobody is asked. The step `check` asks in between.
   */
  readonly wrongLinesAfter: (flow: string, steps: readonly string[]) => Promise<string[]>
}

export async function authorshipRepo(flows: readonly string[]): Promise<AuthorshipRepo> {
  const { daemon, ...flowContext } = await watchedFlows(flows)
  const { repo } = flowContext
  return {
    repo,
    async wrongLinesAfter(flow, steps) {
      await script(repo, CLEAN_UP)
      for (const [n, step] of [...steps, 'check'].entries()) {
        const wrong = await runStep(flowContext, flow, step)
        if (wrong.length > 0) return [`after ${steps.slice(Math.max(0, n - 6), n).join(' | ')}`, ...wrong]
      }
      return []
    },
    async [Symbol.asyncDispose]() {
      await daemon[Symbol.asyncDispose]()
      await repo[Symbol.asyncDispose]()
    },
  }
}

async function watchedFlows(flows: readonly string[]): Promise<FlowContext & { readonly daemon: AsyncDisposable }> {
  const repo = await governedRepo({}, { scope: ['**'] })
  for (const flow of flows) {
    for (const file of ['a', 'b']) await repo.write(`src/${flow}/${file}`, oldLines(flow, file))
  }
  await script(repo, SET_UP)
  const workspace = await openWorkspace(repo.root)
  const authors = await twoAuthors(workspace)
  const daemon = await startWatching(repo)
  return { repo, workspace, authors, daemon }
}

async function runStep(stage: FlowContext, flow: string, step: string): Promise<string[]> {
  if (step === 'check') return wrongLines(stage, flow)
  await performStep(stage, flow, step)
  return []
}

type FlowContext = { readonly repo: Repo; readonly workspace: Workspace; readonly authors: TwoAuthors }

function oldLines(flow: string, file: string): string {
  return Array.from({ length: 10 }, (_, n) => `${flow} ${file} has an old line ${n + 1}\n`).join('')
}

async function performStep(stage: FlowContext, flow: string, step: string): Promise<void> {
  const author = writerOf(step)
  if (author === null) return script(stage.repo, inFolder(flow, step))
  await stage.authors.goOn(author)
  await write(stage.repo, flow, step)
  await flushDaemon(stage.workspace, 30_000)
}

const WRITE = /^(agent|person) (\S+) ([^]*)$/
const writerOf = (step: string): Author | null => (WRITE.exec(step)?.[1] as Author | undefined) ?? null
const inFolder = (flow: string, step: string): string => `mkdir -p src/${flow}; cd src/${flow}; flow=${flow}; ${step}`

async function write({ root }: Repo, flow: string, step: string): Promise<void> {
  const [, author = '', file = '', edit = ''] = WRITE.exec(step) ?? []
  const path = join(root, 'src', flow, file)
  await mkdir(dirname(path), { recursive: true })
  const before = existsSync(path) ? await readFile(path, 'utf8') : ''
  await writeFile(
    path,
    applyEdits(before, edit, word => lineText(`${flow} ${author}`, word)),
  )
}

async function wrongLines(stage: FlowContext, flow: string): Promise<string[]> {
  await flushDaemon(stage.workspace, 30_000)
  await annotateCommits(stage.workspace, { isWatched: false })
  return wrongNotedLines(stage, flow)
}

async function wrongNotedLines({ workspace, repo }: FlowContext, flow: string): Promise<string[]> {
  const files = (await readdir(join(repo.root, 'src', flow), { recursive: true, withFileTypes: true })).filter(it =>
    it.isFile(),
  )
  const wrong: string[] = []
  let asked = 0
  for (const file of files) {
    const path = `src/${flow}/${join(file.parentPath, file.name).slice(join(repo.root, 'src', flow).length + 1)}`
    const content = await readFile(join(repo.root, path), 'utf8')
    // Most flows leave `b` alone, and `a` has old lines as well.
    if (content === oldLines(flow, 'b')) continue
    const texts = content.split(/\r?\n/)
    for (const line of await blamePath(workspace, { path, revision: null })) {
      const text = texts[line.line - 1] ?? ''
      const truth = expectedAuthor(text)
      if (truth) asked++
      const said = reportedAuthor(line)
      // The lookup of Agent Trace: blame, then the record of that revision, then the range with the line.
      const isKnown = line.author.contributor.type !== 'unknown'
      if (line.commit !== null && line.how !== 'note' && isKnown)
        wrong.push(`${path}:${line.line} is in no note: ${line.how}`)
      if (truth && truth !== said) wrong.push(`${path}:${line.line} ${text.trim()}: ${said} (${line.how})`)
    }
  }
  return asked === 0 ? ['nothing was asked'] : wrong
}

function expectedAuthor(text: string): string | null {
  if (/ agent wrote /.test(text)) return 'ai acme/robot-1 INT-001'
  if (/ person wrote /.test(text)) return 'human INT-001'
  return / old line /.test(text) ? 'unknown' : null
}

function reportedAuthor({ author: { contributor, intent } }: BlamedLine): string {
  const { type, model_id } = contributor
  return type === 'unknown' ? type : [type, model_id, intent].filter(it => it).join(' ')
}

async function script(repo: Repo, text: string): Promise<void> {
  const { code, stdout, stderr } = await repo.run('sh', ['-ec', `top=${repo.root}\n${SHELL_FUNCTIONS}\n${text}`])
  if (code !== 0) throw new Error(`${text}\nended with ${code}:\n${stdout}${stderr}`)
}

const SHELL_FUNCTIONS = `
save() { git add -A "$top"; git commit -qm "$1"; }
todo() { GIT_SEQUENCE_EDITOR="sed -i '$1'" git -c core.abbrev=40 rebase -q -i "$2"; }
quietly() { "$@" > "$top/../out" 2>&1; }
stops() { if "$@" > "$top/../out" 2>&1; then echo "did not stop: $*"; return 1; fi; }
server() { git commit-tree -p "$1" -m "$2" "$3^{tree}"; }
`

const SET_UP = `
git config core.hooksPath /dev/null
git config advice.detachedHead false
git add -A; git commit -qm start; git tag start`

// Git is started only for what there is to clean up.
const CLEAN_UP = `
${END_WHAT_STOPPED}
git switch -qf -C main start; git clean -qfdx -e .orchestration
[ ! -f .git/refs/stash ] || git stash clear
! grep -q autocrlf .git/config || git config --unset core.autocrlf
for it in .git/refs/heads/*; do it=\${it##*/}; [ "$it" = main ] || git branch -qD "$it"; done`

/** Tests that in each of some flows every line keeps its author. */
export function testFlowsKeepAuthors(flows: Readonly<Record<string, readonly string[]>>): void {
  const authored = fixture(() => authorshipRepo(Object.keys(flows)))
  test.each(Object.entries(flows))('every line keeps its author: %s', async (flow, steps) => {
    expect(await authored().wrongLinesAfter(flow, steps)).toEqual([])
  })
}

/**
 * As `testFlowsKeepAuthors`, of flows that git need not keep apart: they are played at the same time in one history. A
 * step `save` is one commit of all flows that have come to theirs, and `all <commands>` is done once, when all have
 * come to it. Commands of a shell in between are for the flow's own files.
 */
export function testFlowsTogether(flows: Readonly<Record<string, readonly string[]>>): void {
  const played = fixture(() => playTogether(flows))
  test.each(Object.keys(flows))('every line keeps its author: %s', async flow => {
    expect(await wrongNotedLines(played(), flow)).toEqual([])
  })
}

type PlayedFlow = { readonly flow: string; readonly steps: string[]; author: Author }

async function playTogether(
  flows: Readonly<Record<string, readonly string[]>>,
): Promise<FlowContext & AsyncDisposable> {
  const stage = await watchedFlows(Object.keys(flows))
  const played = Object.entries(flows).map(([flow, steps]): PlayedFlow => ({
    flow,
    steps: [...steps],
    author: 'agent',
  }))
  while (played.some(it => it.steps.length > 0)) {
    if (!played.some(isReady)) await performShared(stage, played)
    else for (const author of ['agent', 'person'] as const) await performNext(stage, author, played)
  }
  await flushDaemon(stage.workspace, 30_000)
  await annotateCommits(stage.workspace, { isWatched: false })
  return {
    ...stage,
    async [Symbol.asyncDispose]() {
      await stage.daemon[Symbol.asyncDispose]()
      await stage.repo[Symbol.asyncDispose]()
    },
  }
}

/** A flow has a step of its own to do. */
function isReady({ steps: [step] }: PlayedFlow): boolean {
  return step !== undefined && !/^(?:save|all) /.test(step)
}

/** Performs the next step of each flow that is ready, if that is the author's; a shell belongs to who wrote last. */
async function performNext(stage: FlowContext, author: Author, played: readonly PlayedFlow[]): Promise<void> {
  const own = played.filter(it => isReady(it) && (writerOf(it.steps[0] ?? '') ?? it.author) === author)
  if (own.length === 0) return
  await stage.authors.goOn(author)
  const commands: string[] = []
  for (const it of own) {
    const step = it.steps.shift() ?? ''
    it.author = author
    if (writerOf(step) === null) commands.push(`(${inFolder(it.flow, step)})`)
    else await write(stage.repo, it.flow, step)
  }
  if (commands.length > 0) await script(stage.repo, commands.join('\n'))
  await flushDaemon(stage.workspace, 30_000)
}

async function performShared(stage: FlowContext, played: readonly PlayedFlow[]): Promise<void> {
  const next = played.filter(it => it.steps.length > 0)
  const saves = next.filter(it => it.steps[0]?.startsWith('save '))
  const [step = '', ...others] = new Set((saves.length > 0 ? saves : next).map(it => it.steps.shift() ?? ''))
  if (saves.length === 0 && others.length > 0) throw new Error(`Not all come to ${step}: ${others.join(', ')}`)
  await script(stage.repo, step.replace(/^all /, ''))
}
