import { writeFile } from 'node:fs/promises'
import { mergeRegistryFile, type RegistryMerge } from '../../core/intents/merge-registry.ts'
import { runGit } from '../../world/io/git/run-git.ts'
import { readRegularFile } from '../../world/io/files/regular-file.ts'
import { splitAtMarkers, withMapBlock } from '../../core/code/map/map-block.ts'
import { mergeMapBlocks } from '../../core/code/map/merge-maps.ts'
import { INTENT_MAP_PATH } from '../../core/base/governance-files.ts'

/**
 * Merges the versions of a file of the registry, or of the intent map, in the files that git names to its merge driver,
 * and replaces ours by the result. Null where a version can't be read.
 */
export async function mergeRegistryFiles(args: readonly string[]): Promise<RegistryMerge | null> {
  const [baseFile = '', oursFile = '', theirsFile = '', size = '', path = ''] = args
  if (path === INTENT_MAP_PATH) return mergeMapFiles([oursFile, baseFile, theirsFile], size)
  const [base, ours, theirs] = await Promise.all([readText(baseFile), readText(oursFile), readText(theirsFile)])
  const { exit, stdout } = await runGit(['merge-file', '-p', oursFile, baseFile, theirsFile], { cwd: process.cwd() })
  const plain = exit === 0 ? stdout.toString('utf8') : null
  const markerSize = Number(size) || 7
  const merge = mergeRegistryFile({ base, ours, theirs }, { path, plain, markerSize })
  if (merge) await writeFile(oursFile, merge.text)
  return merge
}

// With the merged block in all three versions, git merges what people wrote around it.
async function mergeMapFiles(files: readonly string[], size: string): Promise<RegistryMerge | null> {
  const texts = await Promise.all(files.map(readText))
  const marked = texts.map(it => splitAtMarkers(it.replaceAll('\r\n', '\n')))
  const [ours, base, theirs] = marked
  if (!ours || !theirs || (!base && texts[1] !== '')) return null
  const block = mergeMapBlocks({ base: base?.block ?? '', ours: ours.block, theirs: theirs.block })
  const lineEnd = texts[0]?.includes('\r\n') ? '\r\n' : '\n'
  for (const [n, it] of marked.entries())
    if (it) await writeFile(files[n]!, withMapBlock(it, block).replaceAll('\n', lineEnd))
  const labels = ['ours', 'base', 'theirs'].flatMap(it => ['-L', it])
  const { exit, stdout } = await runGit(
    ['merge-file', '-p', `--marker-size=${Number(size) || 7}`, ...labels, ...files],
    {
      cwd: process.cwd(),
    },
  )
  await writeFile(files[0]!, stdout)
  return { text: stdout.toString('utf8'), conflicts: exit === 0 ? [] : ['both sides changed the text around the map'] }
}

// Bytes that are not UTF-8 must not be written again in another form.
async function readText(file: string): Promise<string> {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readRegularFile(file))
}
