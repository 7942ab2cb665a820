import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { fixture } from './fixture.ts'
import { type BlamedLine, blamePath } from '../../src/provenance/blame.ts'
import { annotateCommits } from '../../src/provenance/annotate-commits.ts'
import { flushDaemon } from '../../src/daemon-client/ask-daemon.ts'
import { startIntent } from '../../src/intent-lifecycle/start-intent.ts'
import { openWorkspace, type Workspace } from '../../src/worktree/workspace.ts'
import { governedRepo, startWatching } from './governed-repo.ts'
import { END_WHAT_STOPPED } from './operation-repo.ts'
import type { Repo } from './repo.ts'

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
  const repo = await governedRepo({}, { scope: ['**'] })
  for (const flow of flows) {
    for (const file of ['a', 'b']) await repo.write(`src/${flow}/${file}`, oldLines(flow, file))
  }
  await script(repo, SET_UP)
  const daemon = await startWatching(repo)
  const workspace = await openWorkspace(repo.root)
  const flowContext: FlowContext = { repo, workspace, author: '' }
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

async function runStep(stage: FlowContext, flow: string, step: string): Promise<string[]> {
  if (step === 'check') return wrongLines(stage, flow)
  await performStep(stage, flow, step)
  return []
}

type FlowContext = { readonly repo: Repo; readonly workspace: Workspace; author: string }

function oldLines(flow: string, file: string): string {
  return Array.from({ length: 10 }, (_, n) => `${flow} ${file} has an old line ${n + 1}\n`).join('')
}

async function performStep(stage: FlowContext, flow: string, step: string): Promise<void> {
  const [, author, file = '', edit = ''] = /^(agent|person) (\S+) ([^]*)$/.exec(step) ?? []
  const folder = join(stage.repo.root, 'src', flow)
  if (author === undefined) return script(stage.repo, `mkdir -p src/${flow}; cd src/${flow}; flow=${flow}; ${step}`)
  await switchAuthor(stage, author)
  const path = join(folder, file)
  await mkdir(dirname(path), { recursive: true })
  const before = existsSync(path) ? await readFile(path, 'utf8') : ''
  await writeFile(
    path,
    applyEdits(before, edit, word => lineText(`${flow} ${author}`, word)),
  )
  await flushDaemon(stage.workspace, 30_000)
}

// What was written before is to be told before somebody else begins.
async function switchAuthor(stage: FlowContext, author: string): Promise<void> {
  if (stage.author === author) return
  await flushDaemon(stage.workspace, 30_000)
  const agent = author === 'agent' ? { agent: 'aider', model: 'acme/robot-1' } : { agent: null, model: null }
  await startIntent(stage.workspace, { intent: 'INT-001', ...agent })
  stage.author = author
}

function lineText(author: string, word: string): string {
  return /^[a-z]/.test(word) ? `${author} wrote the line ${word}` : word
}

/** Applies edits, parted by `;`, one after the other. */
function applyEdits(before: string, edits: string, text: (word: string) => string): string {
  const end = before.includes('\r\n') ? '\r\n' : '\n'
  const all = before.split(/\r?\n/).slice(0, -1)
  for (const edit of edits.split(';').map(it => it.trim())) {
    const [, kind, number = '0', rest = ''] = /^([-+=:>])(\d*) ?(.*)$/.exec(edit) ?? []
    const at = Number(number)
    const texts = rest
      .split(' ')
      .filter(it => it !== '')
      .map(text)
    if (kind === ':') all.splice(0, all.length, ...texts)
    if (kind === '+') all.splice(at, 0, ...texts)
    if (kind === '=') all.splice(at - 1, 1, ...texts)
    if (kind === '-') all.splice(at - 1, 1)
    if (kind === '>') all[at - 1] = `    ${all[at - 1]}`
  }
  return all.map(it => `${it}${end}`).join('')
}

async function wrongLines({ workspace, repo }: FlowContext, flow: string): Promise<string[]> {
  await flushDaemon(workspace, 30_000)
  await annotateCommits(workspace, { isWatched: false })
  const files = (await readdir(join(repo.root, 'src', flow), { recursive: true, withFileTypes: true })).filter(it =>
    it.isFile(),
  )
  const wrong: string[] = []
  let asked = 0
  for (const file of files) {
    const path = `src/${flow}/${join(file.parentPath, file.name).slice(join(repo.root, 'src', flow).length + 1)}`
    const texts = (await readFile(join(repo.root, path), 'utf8')).split(/\r?\n/)
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

const CLEAN_UP = `
${END_WHAT_STOPPED}
git switch -qf -C main start; git reset -q --hard; git clean -qfdx -e .orchestration; git stash clear
git config --unset core.autocrlf || :; git branch --format='%(refname:short)' | grep -vx main | xargs -r git branch -qD`

/** Tests that in each of some flows every line keeps its author. */
export function testFlowsKeepAuthors(flows: Readonly<Record<string, readonly string[]>>): void {
  const authored = fixture(() => authorshipRepo(Object.keys(flows)))
  test.each(Object.entries(flows))('every line keeps its author: %s', async (flow, steps) => {
    expect(await authored().wrongLinesAfter(flow, steps)).toEqual([])
  })
}
