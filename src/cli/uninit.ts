import { uninitialise } from '../setup/init.ts'
import { openWorkspace } from '../workspace/workspace.ts'
import type { Run } from './verb.ts'

/** `kotef uninit`: takes kotef out of this clone. */
export const run: Run = async ({ cwd, options }) => {
  const removed = await uninitialise(await openWorkspace(cwd), { purge: options['purge'] === true })
  const lines = removed.length > 0 ? ['Taken out of:', ...removed.map(it => `  ${it}`)] : ['No git hook called kotef.']
  const kept =
    options['purge'] === true ? [] : ['The files in .orchestration and .sdd stay; `--purge` removes the first.']
  return { text: [...lines, ...kept].join('\n'), json: { removed } }
}
