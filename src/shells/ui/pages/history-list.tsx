import type { JSX } from 'preact'
import type { DayOfWrites, Happening, HappeningKind } from './happenings.ts'
import { CommitLink } from './lines-page.tsx'
import { links } from './links.ts'
import { Count, DataText, Empty, PathLink, When } from './parts.tsx'
import { SessionLink } from './record-row.tsx'

type HistoryProps = { readonly intent: string; readonly happenings: readonly Happening[]; readonly now: number }

/** What happened to an intent, newest first. */
export function HistoryList({ intent, happenings, now }: HistoryProps): JSX.Element {
  if (happenings.length === 0) return <Empty text="Nothing of this kind is recorded." />
  return (
    <ol class="history" aria-label={`History of ${intent}`}>
      {happenings.map(it => (
        <li class={`happening kind-${it.kind}`}>
          <When at={it.at} now={now} />
          <span class="kind">{KIND_WORDS[it.kind]}</span>
          <span class="subject">
            <What intent={intent} happening={it} />
          </span>
        </li>
      ))}
    </ol>
  )
}

const KIND_WORDS: Readonly<Record<HappeningKind, string>> = {
  writes: 'writes',
  commit: 'commit',
  violation: 'violation',
  session: 'session',
  status: 'status',
  check: 'check',
  request: 'request',
  edit: 'edit',
  claim: 'claim',
}

/** The kinds of what happened, as the titles of their lists. */
export const KIND_TITLES: Readonly<Record<HappeningKind, string>> = {
  writes: 'days with writes',
  commit: 'commits',
  violation: 'violations',
  session: 'sessions',
  status: 'changes of status',
  check: 'checks',
  request: 'requests',
  edit: 'edits of the intent',
  claim: 'claims of writes',
}

function What({ intent, happening }: { readonly intent: string; readonly happening: Happening }): JSX.Element {
  const { what, path, session, commit, writes } = happening
  if (writes !== null)
    return (
      <>
        <Count n={writes.count} href={writesHref(intent, writes.day)} of={`writes on ${writes.day}`} />{' '}
        {writes.count === 1 ? 'write' : 'writes'} on {writes.day}
      </>
    )
  return (
    <>
      {commit !== null && <CommitLink oid={commit} />} <DataText text={what} />{' '}
      {path !== null && <PathLink path={path} />} {session !== null && <SessionLink id={session} />}
    </>
  )
}

/** The address of the writes for an intent on a day. */
function writesHref(intent: string, day: string): string {
  return links.intentList(intent, 'writes', { day })
}

/** How many writes there were on each of the last days with writes; the same is in the list below it. */
export function DaysChart({ intent, days }: { readonly intent: string; readonly days: readonly DayOfWrites[] }) {
  const shown = days.slice(-DAYS_SHOWN)
  if (shown.length < 2) return null
  const most = Math.max(...shown.map(it => it.count))
  const width = shown.length * (BAR + GAP)
  return (
    <svg class="days" viewBox={`0 0 ${width} ${HEIGHT}`} role="img" aria-label={`Writes for ${intent} by day`}>
      {shown.map(({ day, count }, n) => {
        const height = Math.max(1, Math.round((count / most) * HEIGHT))
        return (
          <rect x={n * (BAR + GAP)} y={HEIGHT - height} width={BAR} height={height}>
            <title>{`${day}: ${count}`}</title>
          </rect>
        )
      })}
    </svg>
  )
}

const DAYS_SHOWN = 60
const BAR = 8
const GAP = 2
const HEIGHT = 40
