import { type Git, gitWithEnv } from './git.ts'
import { openScratchFolder, type RepositoryFolders } from './scratch-git.ts'

type HistoryOfFiles = {
  /** The oid of the commit whose history is read. */
  readonly head: string
  /** How many files are going to be blamed. */
  readonly files: number
}

/** Git for the blame of many files, and what ends with it. */
type FilteredHistory = AsyncDisposable & { readonly git: Git }

/**
 * Opens git that blames many files of a long history in a third of the time: it has a commit-graph with the filters of
 * changed paths, so that it compares only the trees of commits that may have changed a file. Its answers are the same.
 * The graph is in a temporary folder: the repository's own objects belong to its user.
 */
export async function openFilteredHistory(
  repository: RepositoryFolders & { readonly git: Git },
  { head, files }: HistoryOfFiles,
): Promise<FilteredHistory> {
  const own = { git: repository.git, [Symbol.asyncDispose]: async () => {} }
  if (files < FILES_MIN || (await isPartialClone(repository.git))) return own
  const scratch = await openScratchFolder(repository, process.env).catch(() => null)
  if (scratch === null) return own
  const git = gitWithEnv(repository.root, scratch.env, repository.commonDir)
  try {
    for await (const _ of git.streamWithInput(WRITE_GRAPH, { input: `${head}\n` })) void _
  } catch {
    // Without a graph, git reads all commits.
  }
  return { git, [Symbol.asyncDispose]: () => scratch[Symbol.asyncDispose]() }
}

// Making the filters takes as long as the blame of three or four files.
const FILES_MIN = 16

const WRITE_GRAPH = ['commit-graph', 'write', '--stdin-commits', '--changed-paths', '--no-progress']

// Git would fetch what it lacks to the temporary folder; and trees for the filters that no blame asks for.
function isPartialClone(git: Git): Promise<boolean> {
  const args = ['config', '--get-regexp', '^(remote\\..*\\.promisor|extensions\\.partialclone)$']
  return git.ask({ args, parse: out => out !== '' })
}
