import type { GitQuery } from '../diff/query.ts'
import type { Git } from '../io/git.ts'

/** The texts of some files at HEAD, in the order asked; null for each that HEAD doesn't have. */
export async function committedTexts(git: Git, paths: readonly string[]): Promise<(string | null)[]> {
  const entries = (await git.tryAsk(blobsAtHead(paths))) ?? new Map<string, string>()
  return Promise.all(paths.map(it => textOfBlob(git, entries.get(it))))
}

async function textOfBlob(git: Git, oid: string | undefined): Promise<string | null> {
  return oid === undefined ? null : git.ask({ args: ['cat-file', 'blob', oid], parse: out => out })
}

// Fails where there is no commit yet, which is the same as having none of the files.
function blobsAtHead(paths: readonly string[]): GitQuery<Map<string, string>> {
  return {
    args: ['ls-tree', '-z', '--full-tree', 'HEAD', '--', ...paths],
    parse: out => new Map(out.split('\0').flatMap(it => entryOf(it))),
  }
}

function entryOf(line: string): [string, string][] {
  const [, oid, path] = /^\d+ blob ([0-9a-f]+)\t(.*)$/s.exec(line) ?? []
  return oid !== undefined && path !== undefined ? [[path, oid]] : []
}
