import { uninitialise } from '../../setup/init.ts'
import { openWorkspace } from '../../worktree/workspace.ts'
import type { RunVerb } from '../verb.ts'

/** `kotef uninit`: removes kotef from this clone. */
export const run: RunVerb = async ({ cwd, options }) => {
  const purged = options['purge'] === true
  const { removed, kept, left } = await uninitialise(await openWorkspace(cwd), { purged })
  const lines = removed.length > 0 ? ['Removed from:', ...removed.map(it => `  ${it}`)] : ['No git hook called kotef.']
  const text = [...lines, ...remainingFileLines(left), ...(purged ? changedFileLines(kept) : FILES_STAY)].join('\n')
  return { text, json: { removed, kept, left }, exit: left.length > 0 ? 1 : 0 }
}

const FILES_STAY = [
  'The files in .orchestration and .sdd, and .intentignore, stay; `kotef uninit --purge` removes the unchanged ones.',
]

function remainingFileLines(left: readonly string[]): string[] {
  if (left.length === 0) return []
  const what = 'kotef is still in these files, which it cannot edit without loss. Remove it by hand:'
  return [what, ...left.map(it => `  ${it}`)]
}

function changedFileLines(kept: readonly string[]): string[] {
  if (kept.length === 0) return []
  return ['Kept, because they were edited:', ...kept.map(it => `  ${it}`), `Remove them with \`rm ${kept.join(' ')}\``]
}
