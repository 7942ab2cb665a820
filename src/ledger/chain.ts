import type { Finding } from '../report/finding.ts'
import type { Entry } from './read.ts'
import type { Link } from './record.ts'
import { isIntact } from './seal.ts'

/** The last link that a writer is known to have made, kept beside the ledger. */
export type Head = Pick<Link, 'writer' | 'seq' | 'hash'>

/** Something that is told of every record in order, and finds what is wrong. */
type Follower = { readonly follow: (entry: Entry) => Finding[]; readonly end: () => Finding[] }

/**
 * Follows every writer's chain: edited, removed and swapped lines and, where the head is known, a missing end.
 * It is evidence since the last head that somebody else holds, not proof.
 */
export function chainFollower(head: Head | null): Follower {
  const last = new Map<string, Link>()
  return {
    follow(entry) {
      const own = entry.record.metadata['dev.kotef']
      const before = last.get(own.writer)
      last.set(own.writer, own)
      return [...editedLine(entry), ...brokenLink(entry, own, before)]
    },
    end: () => missingEnd(last, head),
  }
}

function editedLine({ line, text, record }: Entry): Finding[] {
  return isIntact(text, record) ? [] : [finding('ledger-edited', `line ${line} is not what was written`)]
}

function brokenLink({ line }: Entry, own: Link, before: Link | undefined): Finding[] {
  if (own.seq === (before?.seq ?? -1) + 1 && own.prev === (before?.hash ?? null)) return []
  const expected = (before?.seq ?? -1) + 1
  if (own.seq > expected)
    return [finding('ledger-gap', `line ${line}: records ${expected} to ${own.seq - 1} are missing`)]
  if (own.seq < expected)
    return [finding('ledger-order', `line ${line}: record ${own.seq} stands after ${expected - 1}`)]
  return [finding('ledger-link', `line ${line} does not follow the record before it`)]
}

function missingEnd(last: ReadonlyMap<string, Link>, head: Head | null): Finding[] {
  const end = head && last.get(head.writer)
  if (!head || (end && end.seq >= head.seq)) return []
  const from = end ? end.seq + 1 : 0
  return [finding('ledger-truncated', `the end is missing: records ${from} to ${head.seq}`)]
}

function finding(rule: string, message: string): Finding {
  return {
    rule,
    level: 'block',
    path: '.orchestration/agent_trace.jsonl',
    message: `The ledger was changed by something other than kotef: ${message}.`,
    hint: 'Restore the file from a backup; what stands in notes on commits is not affected.',
  }
}
