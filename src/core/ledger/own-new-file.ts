import { authorshipClaims } from './authorship-claims.ts'
import type { TracedFile, TraceRecord } from './record.ts'
import { parseSessionUrl } from './session-url.ts'

/** The contents that a session gave to a file that it made, as blob oids: all of them, and the last. */
export type OwnContents = { readonly all: ReadonlySet<string>; readonly last: string }

/**
 * What a session wrote into a file, if the records prove that it made the file and that nobody else has written it:
 * the first write creates it, each later one continues the one before, and no other agent may have a part. Else null.
 * What a command wrote may always be a person's (`doubt`): that counts where `personsWork`.
 */
export function ownContents(
  records: readonly TraceRecord[],
  { path, session, personsWork }: { readonly path: string; readonly session: string; readonly personsWork: boolean },
): OwnContents | null {
  const claims = authorshipClaims(records)
  const all = new Set<string>()
  let last: string | null = null
  for (const record of records) {
    const files = record.files.filter(it => it.path === path || it.kotef.from === path)
    for (const file of files) {
      const claimed = claims.get(record.id)?.session
      const isOwn = claimed === undefined ? isWrittenBy(record, file, session) : claimed === session
      if (!isOwn || hasDoubt(record, personsWork) || !isPlain(file) || file.kotef.before !== last) return null
      last = file.kotef.after
      if (last !== null) all.add(last)
    }
  }
  return last === null ? null : { all, last }
}

function isWrittenBy({ metadata }: TraceRecord, { conversations }: TracedFile, session: string): boolean {
  const own = metadata['dev.kotef']
  const isKnown = own.event === 'write' && (own.attribution === 'claimed' || own.attribution === 'window')
  return (
    isKnown &&
    conversations.length > 0 &&
    conversations.every(
      ({ url, contributor }) =>
        contributor.type === 'ai' && typeof url === 'string' && parseSessionUrl(url) === session,
    )
  )
}

function hasDoubt({ metadata }: TraceRecord, personsWork: boolean): boolean {
  const own = metadata['dev.kotef']
  return own.event === 'write' && (own.doubt === 'agent' || (own.doubt === 'person' && personsWork))
}

// What was moved here, is made of a file that went, or stands over an unknown content, may be another author's.
function isPlain({ kotef: { op, origins = [], opaque, mode } }: TracedFile): boolean {
  const isFile = opaque !== 'symlink' && opaque !== 'unknown-before' && ![mode?.before, mode?.after].includes('120000')
  return op !== 'rename' && origins.length === 0 && isFile
}
