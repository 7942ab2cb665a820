import { uninitialise } from '../setup/init.ts'
import { openWorkspace } from '../workspace/workspace.ts'
import type { Run } from './verb.ts'

/** `kotef uninit`: takes kotef out of this clone. */
export const run: Run = async ({ cwd, options }) => {
  const purged = options['purge'] === true
  const { removed, kept } = await uninitialise(await openWorkspace(cwd), { purged })
  const lines = removed.length > 0 ? ['Taken out of:', ...removed.map(it => `  ${it}`)] : ['No git hook called kotef.']
  return { text: [...lines, ...(purged ? keptLines(kept) : STAY)].join('\n'), json: { removed, kept } }
}

const STAY = [
  'The files in .orchestration and .sdd and .intentignore stay; `kotef uninit --purge` removes what nobody changed.',
]

function keptLines(kept: readonly string[]): string[] {
  if (kept.length === 0) return []
  return ['Kept, because they were changed:', ...kept.map(it => `  ${it}`), `Remove them with \`rm ${kept.join(' ')}\``]
}
