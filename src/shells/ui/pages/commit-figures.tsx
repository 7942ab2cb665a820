import type { ComponentChildren, JSX } from 'preact'
import type { Review } from '../../../core/report/review/review.ts'
import type { AuthorShare, CommitDiff } from './commit-facts.ts'
import { type LineQuery, links } from './links.ts'
import { AuthorBadge, Count, DataText, groupedDigits, IntentNames } from './parts.tsx'

type FiguresProps = { readonly diff: CommitDiff; readonly review: Review; readonly range: string }

/** How much a commit changes, for which intents, and who wrote its lines, in one bar. */
export function CommitFigures(props: FiguresProps): JSX.Element {
  const { diff, review } = props
  const { authors, intents, added, removed, files, filesLeftOut } = diff
  return (
    <>
      <dl class="summary">
        <Item label="Files">{groupedDigits(files.length + filesLeftOut)}</Item>
        <Item label="Lines">
          <LineDelta added={added} removed={removed} />
        </Item>
        {intents.length > 0 && (
          <Item label="Written for">
            {intents.map(({ intent, lines }) => (
              <span class="share">
                <IntentNames name={intent} />{' '}
                <DataText text={review.intents.find(it => it.id === intent)?.name ?? ''} />{' '}
                <Lines n={lines} of={props} query={{ intent: intent ?? '' }} />
              </span>
            ))}
          </Item>
        )}
        {authors.length > 0 && (
          <Item label="Written by">
            {authors.map(it => (
              <Share share={it} of={props} />
            ))}
            <AuthorBar authors={authors} />
          </Item>
        )}
      </dl>
      {noteWords(props).map(it => (
        <p class="hint">
          <DataText text={it} />
        </p>
      ))}
    </>
  )
}

/** How many lines are added and removed. */
export function LineDelta({ added, removed }: Pick<CommitDiff, 'added' | 'removed'>): JSX.Element {
  return (
    <span class="delta">
      <span class="plus">+{groupedDigits(added)}</span> <span class="minus">−{groupedDigits(removed)}</span>
    </span>
  )
}

function Item({ label, children }: { readonly label: string; readonly children: ComponentChildren }): JSX.Element {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Share({ share, of }: { readonly share: AuthorShare; readonly of: FiguresProps }): JSX.Element {
  const { author, lines, doubtful } = share
  return (
    <span class="share">
      <AuthorBadge author={author} />{' '}
      <Lines
        n={lines}
        of={of}
        query={{ author: author.kind, model: author.kind === 'ai' ? (author.model ?? '') : undefined }}
      />{' '}
      <span class="quiet">{percentText(lines, totalOf(of.diff.authors))}</span>
      {doubtful > 0 && `, ${doubtful} of them perhaps by another`}
    </span>
  )
}

type LinesProps = { readonly n: number; readonly of: FiguresProps; readonly query: LineQuery }

// A report counts no line of a commit of governance alone, so there is no list of them.
function Lines({ n, of: { review, range }, query }: LinesProps): JSX.Element {
  if (review.lines.added === 0) return <>{groupedDigits(n)}</>
  return <Count n={n} href={links.lines({ range, ...query })} of="lines" />
}

function totalOf(authors: readonly AuthorShare[]): number {
  return authors.reduce((sum, it) => sum + it.lines, 0)
}

/** A share in whole percent; what is not all is never 100 %, and what is something never 0 %. */
export function percentText(lines: number, total: number): string {
  if (lines === total) return '100 %'
  return `${Math.min(99, Math.max(1, Math.round((100 * lines) / total)))} %`
}

// The policy of the pages allows no style in an element, and a drawing needs none.
function AuthorBar({ authors }: { readonly authors: readonly AuthorShare[] }): JSX.Element {
  const total = totalOf(authors)
  let from = 0
  return (
    <svg class="author-bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
      {authors.map(({ author: { kind }, lines }) => {
        const width = (100 * lines) / total
        const x = from
        from += width
        return <rect class={`is-chart-${kind}`} x={x.toFixed(2)} y="0" width={width.toFixed(2)} height="1" />
      })}
    </svg>
  )
}

/** Why a commit has no authors, or authors of which nobody knows anything. */
function noteWords({ diff, review: { ranges } }: FiguresProps): string[] {
  if (!diff.isJudged) {
    const { passedOver = 0, remark = null } = ranges[0] ?? {}
    const why = passedOver > 0 ? 'it is older than kotef in this repository' : (remark ?? 'it is not governed')
    return [`This commit is not judged: ${why}. Nobody recorded who wrote its lines.`]
  }
  if (diff.isNoted || diff.added === 0) return []
  return ['This commit has no note in this clone, so nothing is known of who wrote its lines.']
}
