import { writeFile } from 'node:fs/promises'
import { mergeRegistryFile, type RegistryMerge } from '../intents/merge-registry.ts'
import { runGit } from '../io/git/run-git.ts'
import { readRegularFile } from '../io/files/regular-file.ts'

/**
 * Merges the registry's versions in the files that git names to its merge driver, and replaces ours by the result. Null
 * where a version can't be read.
 */
export async function mergeRegistryFiles(args: readonly string[]): Promise<RegistryMerge | null> {
  const [baseFile = '', oursFile = '', theirsFile = '', size = '', path = ''] = args
  const [base, ours, theirs] = await Promise.all([readText(baseFile), readText(oursFile), readText(theirsFile)])
  const { exit, stdout } = await runGit(['merge-file', '-p', oursFile, baseFile, theirsFile], { cwd: process.cwd() })
  const plain = exit === 0 ? stdout.toString('utf8') : null
  const markerSize = Number(size) || 7
  const merge = mergeRegistryFile({ base, ours, theirs }, { path, plain, markerSize })
  if (merge) await writeFile(oursFile, merge.text)
  return merge
}

// Bytes that are not UTF-8 must not be written again in another form.
async function readText(file: string): Promise<string> {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readRegularFile(file))
}
