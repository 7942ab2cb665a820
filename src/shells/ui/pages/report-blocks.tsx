import type { JSX } from 'preact'
import {
  type CountedLines,
  limitedTo,
  type PageBlock,
  type PageCount,
  type PageData,
  type PageLimits,
  type PageLine,
  type PagePart,
  type PagePoint,
} from '../../../core/report/review/page.ts'
import { singleLine } from '../../../core/base/markup.ts'
import { CommitLink } from './lines-page.tsx'
import { type LineQuery, links } from './links.ts'
import { Count, IntentLink, PathLink } from './parts.tsx'

type ReportBlocksProps = {
  readonly blocks: readonly PageBlock[]
  readonly limits: PageLimits
  /** The range that the report is about: its numbers lead to the lines of it. */
  readonly range: string
}

/** The blocks of a report as parts of a page: what they name is a link to its own page. */
export function ReportBlocks({ blocks, ...of }: ReportBlocksProps): JSX.Element {
  return (
    <div class="report">
      {blocks.map(it => (
        <Block block={it} {...of} />
      ))}
    </div>
  )
}

type Of = Omit<ReportBlocksProps, 'blocks'>

function Block({ block, ...of }: Of & { readonly block: PageBlock }): JSX.Element {
  switch (block.kind) {
    case 'heading': {
      // The page has a heading of its own.
      const Heading = HEADINGS[block.level]
      return (
        <Heading>
          <Line line={block.line} {...of} />
        </Heading>
      )
    }
    case 'paragraph':
      return (
        <p>
          <Line line={block.line} {...of} />
        </p>
      )
    case 'list':
      return <Points points={block.points} {...of} />
    case 'folded':
      return (
        <details>
          <summary>{block.title}</summary>
          <Points points={block.points} {...of} />
        </details>
      )
  }
}

const HEADINGS = { 1: 'h2', 2: 'h3', 3: 'h4' } as const

function Points({ points, ...of }: Of & { readonly points: readonly PagePoint[] }): JSX.Element {
  const shown = limitedTo(of.limits.pointsMax, points, count => ({ line: [`… and ${count} more`] }))
  return (
    <ul>
      {shown.map(({ line, below = [] }) => (
        <li>
          <Line line={line} {...of} />
          {below.length > 0 && (
            <ul>
              {below.map(it => (
                <li>
                  <Line line={it} {...of} />
                </li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ul>
  )
}

function Line({ line, ...of }: Of & { readonly line: PageLine }): JSX.Element {
  return (
    <>
      {line.map((it, n) => (
        <>
          {n > 0 && ' '}
          <Part part={it} {...of} />
        </>
      ))}
    </>
  )
}

function Part({ part, ...of }: Of & { readonly part: PagePart }): JSX.Element {
  if (typeof part === 'string') return <>{part}</>
  if ('commit' in part) return <CommitLink oid={part.commit} />
  return 'n' in part ? <Counted part={part} range={of.range} /> : <Data part={part} limits={of.limits} />
}

function Data({ part: { data, about }, limits }: { readonly part: PageData; readonly limits: PageLimits }) {
  if (about === 'path') return <PathLink path={data} />
  if (about === 'intent') return <IntentLink id={data} />
  return (
    <code>
      <bdi>{singleLine(data, limits.charactersMax)}</bdi>
    </code>
  )
}

function Counted({ part: { n, after, of }, range }: { readonly part: PageCount; readonly range: string }) {
  const href = of === 'commits' ? `${links.range(range)}#s-commits` : links.lines({ range, ...lineQuery(of) })
  return (
    <>
      <Count n={n} href={href} of={after.trim()} />
      {after}
    </>
  )
}

function lineQuery({ intent, author, model, isNoted }: CountedLines): LineQuery {
  return {
    intent: intent === null ? '' : intent,
    author,
    model: model === null ? '' : model,
    note: isNoted === undefined ? undefined : isNoted ? 'yes' : 'no',
  }
}
