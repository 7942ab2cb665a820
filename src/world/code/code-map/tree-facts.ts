import { type Blobs, openBlobs } from '../../io/git/blobs.ts'
import type { TreeFile } from '../../../core/git/line-history.ts'
import { type Hasher, loadHasher } from '../../io/files/hasher.ts'
import { contentHash } from '../../../core/ledger/content-hash.ts'
import type { FileFacts, HashedDeclaration, LineRange } from '../../../core/code/map/make-entries.ts'
import { type OwnedDeclaration, ownLines } from '../../../core/code/map/own-lines.ts'
import { openParser, type Parser } from '../meaning/parser.ts'
import { languageOf } from '../../../core/code/symbols/languages.ts'
import { byteLines, trimLine } from '../../../core/base/lines.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'
import { blobKey, openDeclarationCache } from './declaration-cache.ts'
import type { LineHistory } from './line-history.ts'

/** The declarations of all files at HEAD, with the commits of their lines. Blobs are parsed once in a clone. */
export async function treeFacts(
  workspace: Workspace,
  files: readonly TreeFile[],
  { runs }: LineHistory,
): Promise<FileFacts[]> {
  const cache = await openDeclarationCache(workspace)
  const hasher = await loadHasher()
  using parser = openParser()
  await using blobs = openBlobs(workspace.root)
  const facts: FileFacts[] = []
  for (const file of files) {
    const own = runs.get(file.path) ?? []
    const language = languageOf(file.path)?.name ?? null
    const isRead = file.size <= BLOB_BYTES_MAX && (language !== null || own.length > 0)
    const key = blobKey(file.oid, language)
    const known = cache.get(key) ?? (isRead ? await readBlob({ blobs, parser, hasher }, file) : null)
    if (known) cache.add(key, known)
    facts.push({ path: file.path, hash: known?.hash ?? file.oid, declarations: known?.declarations ?? [], runs: own })
  }
  await cache.save()
  return facts
}

// A text above a mebibyte is not parsed, but it has a hash.
const BLOB_BYTES_MAX = 8 * 1_048_576

type Readers = { readonly blobs: Blobs; readonly parser: Parser; readonly hasher: Hasher }

async function readBlob({ blobs, parser, hasher }: Readers, { path, oid }: TreeFile) {
  const bytes = (await blobs.read(oid)) ?? Buffer.alloc(0)
  const lines = byteLines(bytes)
  const { declarations } = await parser.declarationsOf(path, bytes.toString('utf8'))
  return {
    hash: contentHash(hasher, lines),
    declarations: ownLines(declarations ?? []).map(it => hashed(it, lines, hasher)),
  }
}

function hashed(owned: OwnedDeclaration, lines: readonly Uint8Array[], hasher: Hasher): HashedDeclaration {
  const { declaration, qualified, isContainer } = owned
  const { kind, line, startLine, endLine } = declaration
  const texts = owned.lines.flatMap(it => lines[it - 1] ?? [])
  // A new method comes with a blank line, which does not change its class.
  const own = isContainer ? texts.filter(it => trimLine(it).length > 0) : texts
  const hash = contentHash(hasher, own)
  return { name: qualified, kind, line, startLine, endLine, hash, own: rangesOf(owned.lines) }
}

function rangesOf(lines: readonly number[]): LineRange[] {
  const ranges: [number, number][] = []
  for (const line of lines) {
    const last = ranges.at(-1)
    if (last && last[1] === line - 1) last[1] = line
    else ranges.push([line, line])
  }
  return ranges
}
