import { join } from 'node:path'
import { LARGE_FILE_BYTES_MAX } from '../../io/files/regular-file.ts'
import { VERSION } from '../../io/files/package.ts'
import type { HashedDeclaration } from '../../../core/code/map/make-entries.ts'
import { parseObject } from '../../../core/base/payload.ts'
import { layoutOf } from '../../io/worktree/layout.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'

/** What is known of a blob: the hash of its lines, and its declarations as those of one language. */
export type BlobFacts = { readonly hash: string; readonly declarations: readonly HashedDeclaration[] }

/** The facts of blobs that were parsed before, by blob and language. All worktrees of a clone share them. */
export type DeclarationCache = {
  get(key: string): BlobFacts | null
  add(key: string, facts: BlobFacts): void
  /** Keeps what was added; of a cache that has grown too large, only what was asked for since it was opened. */
  save(): Promise<void>
}

/** The name of a blob's facts in the cache. */
export function blobKey(oid: string, language: string | null): string {
  return `${oid} ${language ?? '-'}`
}

/** Opens the cache. A damaged line is as if it were not there. Deleting the file is always safe. */
export async function openDeclarationCache(workspace: Workspace): Promise<DeclarationCache> {
  const path = join(layoutOf(workspace).shared, 'declarations.jsonl')
  const bytes = await workspace.files.read(path, LARGE_FILE_BYTES_MAX).catch(() => null)
  const lines = bytes?.toString('utf8').split('\n') ?? []
  const known = linesByKey(lines)
  const used = new Map<string, string>()
  const added: string[] = []
  return {
    get(key) {
      const line = known.get(key)
      const facts = line === undefined ? null : (parseObject(line) as (BlobFacts & { key: string }) | null)
      if (line !== undefined && facts) used.set(key, line)
      return facts && { hash: facts.hash, declarations: facts.declarations }
    },
    add(key, facts) {
      const line = JSON.stringify({ key, ...facts })
      if (known.has(key)) return
      known.set(key, line)
      used.set(key, line)
      added.push(line)
    },
    async save() {
      const isOurs = lines[0] === HEADER
      const isLarge = (bytes?.length ?? 0) > CACHE_BYTES_MAX
      if (!isOurs || isLarge) await workspace.files.put(path, `${[HEADER, ...used.values()].join('\n')}\n`)
      else if (added.length > 0) await workspace.files.append(path, Buffer.from(`${added.join('\n')}\n`))
    },
  }
}

// Another version may find other declarations in the same text.
const HEADER = JSON.stringify({ version: VERSION })
const CACHE_BYTES_MAX = 32 * 1_048_576

function linesByKey(lines: readonly string[]): Map<string, string> {
  if (lines[0] !== HEADER) return new Map()
  return new Map(
    lines.flatMap(line => {
      const [, key] = /^\{"key":"([^"]+)"/.exec(line) ?? []
      return key === undefined ? [] : [[key, line] as const]
    }),
  )
}
