import type { JSX } from 'preact'
import { escapeInvisible } from '../../../core/base/printable.ts'
import { LiveOnly, PageTitle } from './layout.tsx'
import { links } from './links.ts'
import { Empty, Section } from './parts.tsx'
import { SlowNotice } from './slow-notice.tsx'
import type { StatsFacts, StatsFilter } from './stats-facts.ts'
import { StatsLines } from './stats-lines.tsx'
import { StatsViolations } from './stats-violations.tsx'

/** The page of statistics: lines by intent, author and model, their survival, and what broke a rule. */
export function StatsPage(facts: StatsFacts): JSX.Element {
  const { filter, lines, surviving, violations, refused } = facts
  const here = statsLink(filter)
  return (
    <div data-awaits>
      <PageTitle title="Stats" />
      <LiveOnly>
        <StatsForm filter={filter} intents={facts.intents} />
      </LiveOnly>
      <SlowNotice what="The lines of all commits" facts={{ ...lines, isKnown: lines.value !== null }} here={here} />
      {lines.value && <SlowNotice what="The lines that HEAD still has" facts={surviving} here={here} />}
      {lines.value && <StatsLines facts={lines.value} filter={filter} />}
      {lines.value === null && lines.isCurrent && (
        <Section title="Lines">
          <Empty text="There are no commits yet." />
        </Section>
      )}
      <SlowNotice what="The violations" facts={{ ...violations, isKnown: violations.value !== null }} here={here} />
      {violations.value && <StatsViolations facts={violations.value} filter={filter} refused={refused} />}
    </div>
  )
}

function statsLink({ since, intent }: StatsFilter): string {
  return links.stats({ since: since ?? undefined, intent: intent ?? undefined })
}

// An id that can't be shown as it is can't be chosen either; its lines are in the tables.
function isPlain(intent: string): boolean {
  return escapeInvisible(intent) === intent
}

type StatsFormProps = { readonly filter: StatsFilter; readonly intents: readonly string[] }

function StatsForm({ filter: { since, intent, problem }, intents }: StatsFormProps): JSX.Element {
  return (
    <form class="filters" method="get" action={links.stats()} aria-label="Filter the statistics">
      <label>
        Since <input type="date" name="since" value={since?.slice(0, 10) ?? ''} />
      </label>
      <label>
        Intent{' '}
        <select name="intent">
          <option value="">all</option>
          {intents.filter(isPlain).map(it => (
            <option value={it} selected={it === intent}>
              {it}
            </option>
          ))}
        </select>
      </label>
      <button type="submit">Show</button>
      {problem !== null && <p class="notice failure">{problem}</p>}
    </form>
  )
}
