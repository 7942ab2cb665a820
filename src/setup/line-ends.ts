import { join, relative } from 'node:path'
import type { GitQuery } from '../diff/query.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { HOOKS } from './hook-block.ts'
import { writeNew } from './observing.ts'

/**
 * Keeps git from giving hook files in the tree the line ends of Windows, with which no shell reads them. A rule of the
 * user's own for them is left alone, and so is an attributes file that stands there.
 */
export async function keepLineEnds(workspace: Workspace, folder: string): Promise<void> {
  if (!(await isConverted(workspace, folder))) return
  await writeNew(workspace, attributesOf(folder), ATTRIBUTES)
}

/** Takes the rule away again where it is as it was written; true when it was. */
export async function forgetLineEnds({ files }: Workspace, folder: string): Promise<boolean> {
  const found = await files.read(attributesOf(folder)).catch(() => null)
  if (found?.toString('utf8') !== ATTRIBUTES) return false
  await files.remove(attributesOf(folder))
  return true
}

const ATTRIBUTES = `# No shell reads a hook with the line ends of Windows. (\`kotef uninit\` removes this file.)
${HOOKS.map(it => `/${it} text eol=lf\n`).join('')}`

function attributesOf(folder: string): string {
  return join(folder, '.gitattributes')
}

// Outside of the tree nothing is ever checked out; and what git ignores never comes from a commit.
async function isConverted({ root, commonDir, git }: Workspace, folder: string): Promise<boolean> {
  const path = relative(root, folder)
  if (path.startsWith('..') || folder.startsWith(`${commonDir}/`)) return false
  const hook = join(path, HOOKS[0])
  const values = await git.ask(attributes(hook))
  return values['eol'] === 'unspecified' && values['text'] !== 'unset' && (await git.ask(ignored(hook))) === ''
}

function attributes(path: string): GitQuery<Record<string, string>> {
  return {
    args: ['check-attr', '-z', 'text', 'eol', '--', path],
    parse: out => Object.fromEntries([...out.matchAll(/[^\0]*\0([^\0]*)\0([^\0]*)\0/g)].map(it => [it[1], it[2]])),
  }
}

function ignored(path: string): GitQuery<string> {
  return { args: ['check-ignore', '--', path], parse: out => out }
}
