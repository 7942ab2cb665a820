import { join } from 'node:path'
import type { GitQuery } from '../git/query.ts'
import { REGISTRY_PATH } from '../paths/governance-files.ts'
import { readHookFile } from '../setup/hook-file.ts'
import { printable } from '../text/printable.ts'
import { textsAtHead } from '../worktree/files-at-head.ts'
import { openWorkspace, type Workspace } from '../worktree/workspace.ts'
import type { DoctorNote } from './doctor-problem.ts'
import { branchNotes } from './branch-notes.ts'
import { commandIn, listNames } from './check-hooks.ts'
import { isBlockFirst, hasInstalledScripts } from './check-versions.ts'
import { blockOrigin } from '../setup/hooks/hook-block.ts'
import type { WorktreeProbe } from './probe-hooks.ts'

/** What no hook of this clone will stop, or what happens otherwise than one would think. Nothing of it is wrong. */
export async function coverageNotes(workspace: Workspace, exams: readonly WorktreeProbe[]): Promise<DoctorNote[]> {
  const here = exams.find(it => it.worktree.root === workspace.root)
  return [
    ...(await adoptionNotes(workspace)),
    ...(here ? await branchNotes(here) : []),
    ...(await submoduleNotes(workspace)),
    ...exams.flatMap(it => repeatedCallNotes(it)),
    ...(await Promise.all(exams.map(it => hookOrderNotes(it)))).flat(),
    BYPASS_NOTE,
  ]
}

const BYPASS_NOTE: DoctorNote = {
  what:
    '`--no-verify`, the merge buttons of a forge and plumbing pass no hook that could stop them: ' +
    'their commits are judged once they are in this clone, and what they break is recorded',
  fix: 'See it: `kotef trace`',
}

async function adoptionNotes(workspace: Workspace): Promise<DoctorNote[]> {
  const [registry] = await textsAtHead(workspace, [REGISTRY_PATH])
  if (registry !== null && registry !== undefined) return []
  const fix = 'Adopt it: `git add -A && git commit -m "adopt kotef" -m "Governance: adopt kotef"`'
  return [{ what: `HEAD has no ${REGISTRY_PATH}: what is not committed governs no other worktree and no clone`, fix }]
}

async function submoduleNotes({ root, git }: Workspace): Promise<DoctorNote[]> {
  const notes: DoctorNote[] = []
  for (const path of await git.ask(submodules)) {
    const folder = join(root, path)
    const inner = await openWorkspace(folder).catch(() => null)
    // Without a checkout of its own, it is this repository that is found there.
    if (inner?.root !== folder || (await hasInstalledScripts(inner))) continue
    const what = `the submodule ${printable(path)} is a repository of its own, without kotef`
    notes.push({ what, fix: `Govern it as well: \`${commandIn(folder, 'kotef init')}\`` })
  }
  return notes
}

const submodules: GitQuery<string[]> = {
  args: ['ls-files', '--stage', '-z'],
  parse: out => {
    const entries = out.split('\0').filter(it => it.startsWith('160000 '))
    return [...new Set(entries.map(it => it.slice(it.indexOf('\t') + 1)))]
  },
}

function repeatedCallNotes({ worktree: { root }, hooks }: WorktreeProbe): DoctorNote[] {
  const twice = hooks.filter(it => it.times > 1).map(it => it.hook)
  if (twice.length === 0) return []
  const what = `in ${root}, git calls kotef more than once for ${listNames(twice)}, by its config and by files`
  return [{ what: `${what}: no harm, but it takes longer`, fix: null }]
}

async function hookOrderNotes({ worktree, hooks }: WorktreeProbe): Promise<DoctorNote[]> {
  const texts = await Promise.all(hooks.map(async it => (await readHookFile(it.script))?.text ?? ''))
  const late = hooks.filter(
    (it, n) => it.times > 0 && blockOrigin(texts[n] ?? '') !== null && !isBlockFirst(texts[n] ?? ''),
  )
  return late.map(({ script }) => ({
    what: `in ${script}, lines of yours come before kotef's: they run for what kotef stops as well`,
    fix: `Put kotef's first: \`${commandIn(worktree.root, 'kotef init')}\``,
  }))
}
