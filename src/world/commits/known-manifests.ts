import { type Gatherer, tryAskGit } from '../../core/git/gatherer.ts'
import { DEPENDENCY_MANIFESTS } from '../../core/intents/contract/manifests.ts'

/** The manifests of a revision that name one of some packages, as far as a project has no great many of them. */
export function* gatherManifestsWith(names: readonly string[], revision: string): Gatherer<string[]> {
  const wanted = names.slice(0, MANIFESTS_MAX).flatMap(it => ['-e', `"${it}"`])
  const pathspecs = DEPENDENCY_MANIFESTS.map(it => `:(top,glob)**/${it}`)
  const args = ['grep', '-lzF', ...wanted, revision, '--', ...pathspecs]
  const found = (yield* tryAskGit({ args, parse: out => out.split('\0').filter(it => it !== '') })) ?? []
  const texts: string[] = []
  for (const it of found.slice(0, MANIFESTS_MAX)) texts.push((yield* gatherBlobText(it)) ?? '')
  return texts
}

const MANIFESTS_MAX = 50

/** The text of a blob, by any name that git knows; null when there is none. */
export function* gatherBlobText(name: string): Gatherer<string | null> {
  return yield* tryAskGit({ args: ['cat-file', 'blob', name], parse: out => out })
}
