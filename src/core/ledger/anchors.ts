import type { Finding } from '../base/finding.ts'
import { type ChainHead, chainFinding, type RecordFollower } from './chain.ts'

/** The head of a ledger's chain as a commit has it, in its note or in a trailer `Trace`. */
export type Anchor = ChainHead & { readonly commit: string }

/** The value of the trailer `Trace` that names a head. */
export function anchorText({ writer, seq, hash }: ChainHead): string {
  return `${writer}/${seq}/${hash}`
}

/** Parses the value of a trailer `Trace`; null for anything else. */
export function parseAnchor(text: string): ChainHead | null {
  const [, writer, seq, hash] = /^([\w-]{1,64})\/(\d{1,15})\/([0-9a-f]{64})$/.exec(text.trim()) ?? []
  return writer && hash ? { writer, seq: Number(seq), hash } : null
}

/**
 * Follows a ledger's records and finds those that are not what a commit says that they were, and a missing end. Other
 * clones and closed ledgers have other writers, of which nothing is known here.
 */
export function anchorFollower(anchors: readonly Anchor[]): RecordFollower {
  const expected = new Map(anchors.map(it => [keyOf(it), it]))
  const ends = new Map<string, number>()
  return {
    follow({ record: { metadata } }) {
      const own = metadata['dev.kotef']
      ends.set(own.writer, Math.max(own.seq, ends.get(own.writer) ?? 0))
      const anchor = expected.get(keyOf(own))
      return anchor && anchor.hash !== own.hash ? [editedRecord(anchor)] : []
    },
    end: () => missingEnds([...expected.values()], ends),
  }
}

function keyOf({ writer, seq }: Pick<ChainHead, 'writer' | 'seq'>): string {
  return `${writer}/${seq}`
}

function editedRecord({ seq, commit }: Anchor): Finding {
  return chainFinding('ledger-edited', `record ${seq} is not the one that commit ${commit.slice(0, 10)} names`)
}

// Of each writer one is enough, the last.
function missingEnds(anchors: readonly Anchor[], ends: ReadonlyMap<string, number>): Finding[] {
  const beyond = anchors.filter(it => it.seq > (ends.get(it.writer) ?? Infinity))
  const last = beyond.filter(it => beyond.every(other => other.writer !== it.writer || other.seq <= it.seq))
  return last.map(({ writer, seq, commit }) => {
    const from = (ends.get(writer) ?? 0) + 1
    return chainFinding(
      'ledger-truncated',
      `the end is missing: commit ${commit.slice(0, 10)} names records ${from} to ${seq}`,
    )
  })
}
