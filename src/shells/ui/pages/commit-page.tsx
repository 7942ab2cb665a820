import type { JSX } from 'preact'
import { KOTEF_ANYWHERE, withTypedName } from '../../../core/base/kotef-command.ts'
import { escapeInvisible } from '../../../core/base/printable.ts'
import { findingCounts } from '../../../core/report/finding-lines.ts'
import { findingSentence } from '../../../core/report/finding-sentence.ts'
import type { Review, ReviewFinding } from '../../../core/report/review/review.ts'
import { Command, HintText } from './command-text.tsx'
import { CommitChanges } from './commit-files.tsx'
import { CommitFigures } from './commit-figures.tsx'
import { LiveOnly, PageTitle } from './layout.tsx'
import { links } from './links.ts'
import { DataText, Section, When } from './parts.tsx'
import type { CommitHead, RangeFacts } from './range-facts.ts'
import { JudgedLine, RangeNotices } from './range-notices.tsx'

/** The page of one commit: the verdict, for what and by whom its lines are, the findings, and what it changes. */
export function CommitPage({ facts, commit }: { readonly facts: RangeFacts; readonly commit: CommitHead }) {
  const { value } = facts.review
  return (
    <div data-awaits>
      <PageTitle title={escapeInvisible(commit.subject) || 'A commit without a subject'}>
        {value && <VerdictPill review={value.review} />}
      </PageTitle>
      <CommitLine commit={commit} facts={facts} />
      <RangeNotices facts={facts} what="This commit" />
      {value?.diff && <CommitFigures diff={value.diff} review={value.review} range={facts.range} />}
      {value && <Findings review={value.review} />}
      {value?.diff && <CommitChanges diff={value.diff} />}
      {value && <JudgedLine judgedAt={value.judgedAt} now={facts.now} />}
    </div>
  )
}

/** The verdict on a commit in one word: what a person should look at is not refused. */
export function verdictWord({ verdict, findings }: Pick<Review, 'verdict' | 'findings'>): keyof typeof PILLS {
  if (verdict !== 'passed') return verdict === 'blocked' ? 'blocked' : 'not judged'
  return findings.some(it => it.level !== 'observe') ? 'review' : 'passed'
}

const PILLS = {
  blocked: 'is-bad',
  review: 'verdict-review',
  passed: 'result-passed',
  'not judged': '',
} as const

function VerdictPill({ review }: { readonly review: Review }): JSX.Element {
  const word = verdictWord(review)
  return <span class={`badge verdict ${PILLS[word]}`}>{word}</span>
}

function CommitLine({
  commit: { oid, author, at },
  facts,
}: {
  readonly commit: CommitHead
  readonly facts: RangeFacts
}) {
  const { review, diff } = facts.review.value ?? {}
  const governance = review?.commits[0]?.governance ?? null
  return (
    <p class="commit-line hint">
      <a href={links.commit(oid)}>
        <code>{oid.slice(0, 10)}</code>
      </a>{' '}
      by <DataText text={author} />, <When at={at} now={facts.now} />
      {diff?.parents === 0 && ' · the first commit: it has no parent'}
      {diff && diff.parents > 1 && ` · a merge of ${diff.parents} commits: what none of them has`}
      {governance !== null && (
        <>
          {' '}
          · governance: <DataText text={governance} />
        </>
      )}
    </p>
  )
}

// What is only observed is counted beside the title, as in every report.
function Findings({ review: { findings } }: { readonly review: Review }): JSX.Element | null {
  const listed = findings.filter(it => it.level !== 'observe')
  if (findings.length === 0) return null
  const more = listed.length - FINDINGS_SHOWN
  return (
    <Section title="Findings" beside={<span class="quiet">{findingCounts(findings)}</span>}>
      <ul class="findings">
        {listed.slice(0, FINDINGS_SHOWN).map(it => (
          <FindingItem finding={it} />
        ))}
      </ul>
      {more > 0 && <p class="hint">… and {more} more</p>}
    </Section>
  )
}

const FINDINGS_SHOWN = 200

function FindingItem({ finding }: { readonly finding: ReviewFinding }): JSX.Element {
  const hint = withTypedName(finding.hint, KOTEF_ANYWHERE)
  const commands = hint.split('`').filter((_, n) => n % 2 === 1)
  return (
    <li class={`finding level-${finding.level}`}>
      <strong>
        <DataText text={findingSentence(finding)} />
      </strong>{' '}
      <code>{finding.rule}</code>
      {hint !== '' && (
        <p>
          <HintText text={hint} />
        </p>
      )}
      <LiveOnly>
        {commands.map(it => (
          <Command text={it} />
        ))}
      </LiveOnly>
    </li>
  )
}
