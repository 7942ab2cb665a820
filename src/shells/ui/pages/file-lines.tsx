import { intentName } from '../../../core/authorship/line-intent.ts'
import type { ComponentChildren, JSX } from 'preact'
import { authorWords } from '../../../core/report/author-words.ts'
import { EVIDENCE_TEXT } from '../../../core/report/certainty.ts'
import { localTime } from '../../../core/report/local-time.ts'
import { escapeInvisible } from '../../../core/base/printable.ts'
import type { FileColours, FileLine, FileText, LineBlock } from './file-facts.ts'
import { IntentPlaces } from './frame-context.ts'
import { links } from './links.ts'
import { AuthorBadge, DataText, hueOf, hueOfModel, IntentNames } from './parts.tsx'
import { SessionLink } from './record-row.tsx'

type TableProps = { readonly text: FileText; readonly by: FileColours; readonly path: string }

/** The lines of a file in blocks. What is to be said of a block's lines is shown on hover, and on focus of its link. */
export function BlameTable({ text, by, path }: TableProps): JSX.Element {
  return (
    <table class="blame">
      <caption class="unseen">Lines, each block with its intent, author and commit</caption>
      <BlameHead />
      <IntentPlaces.Consumer>
        {(places: ReadonlyMap<string, number>) =>
          text.view.blocks.map(it => (
            <Block
              block={it}
              tone={toneOf(it.why, by, places)}
              text={text}
              here={links.file(path, { by, from: text.view.from })}
            />
          ))
        }
      </IntentPlaces.Consumer>
    </table>
  )
}

/** The head of a table of lines beside their authors, for a screen reader. */
export function BlameHead(): JSX.Element {
  return (
    <thead class="unseen">
      <tr>
        <th scope="col">Written for and by</th>
        <th scope="col">Line</th>
        <th scope="col">Text</th>
      </tr>
    </thead>
  )
}

/** The class with the colour of a line: of its intent, or of its author. */
export function toneOf({ author }: FileLine, by: FileColours, places: ReadonlyMap<string, number>): string {
  if (by === 'intent') return author.intent === null ? 'tone-none' : hueOf(author.intent, places)
  const { type, model_id: model } = author.contributor
  return type === 'ai' && model !== undefined ? `tone-ai ${hueOfModel(model)}` : `tone-${type}`
}

type BlockProps = { readonly block: LineBlock; readonly tone: string; readonly text: FileText; readonly here: string }

function Block({ block: { why, lines }, tone, text, here }: BlockProps): JSX.Element {
  const first = lines[0]?.number ?? 0
  const card = `why-${first}`
  return (
    <tbody class={`block ${tone}`}>
      {lines.map((it, n) => (
        <tr id={`L${it.number}`}>
          {n === 0 && (
            <th scope="rowgroup" rowSpan={lines.length} class="for">
              <BlockTitle why={why} />
              <div class="why-place">
                <WhyCard id={card} why={why} text={text} />
              </div>
            </th>
          )}
          <td class="number">
            {n === 0 ? (
              <a href={`${here}#L${it.number}`} aria-label={`Line ${it.number}`} aria-describedby={card}>
                {it.number}
              </a>
            ) : (
              it.number
            )}
          </td>
          <td class="text">
            <code>
              <DataText text={it.text} />
            </code>
          </td>
        </tr>
      ))}
    </tbody>
  )
}

function BlockTitle({ why: { author, either, commit } }: { readonly why: FileLine }): JSX.Element {
  const { type, model_id: model = null } = author.contributor
  return (
    <span class="block-title">
      <IntentNames name={intentName({ intent: author.intent, either })} />{' '}
      <AuthorBadge author={{ kind: type, model, isDoubtful: author.doubt !== undefined }} />{' '}
      {commit === null ? (
        <span class="quiet">uncommitted</span>
      ) : (
        <a href={links.commit(commit)}>{commit.slice(0, 7)}</a>
      )}
    </span>
  )
}

type CardProps = { readonly id: string; readonly why: FileLine; readonly text: FileText }

// What is not known has no row, except the intent, which is what the page is about.
function WhyCard({ id, why, text: { names, subjects } }: CardProps): JSX.Element {
  const { author, either, commit, by, record, how } = why
  const name = names.get(author.intent ?? '')
  const subject = commit === null ? undefined : subjects.get(commit)
  return (
    <div class="why" role="tooltip" id={id}>
      <dl>
        <Row label="Intent">
          <IntentNames name={intentName({ intent: author.intent, either })} /> {name && <DataText text={name} />}
          {either && '(the commit cites them all)'}
        </Row>
        <Row label="Author">
          <DataText text={authorWords(why)} />
        </Row>
        {author.session !== null && (
          <Row label="Session">
            <SessionLink id={author.session} />
          </Row>
        )}
        <Row label="Commit">
          {commit === null ? 'none yet' : <a href={links.commit(commit)}>{commit.slice(0, 10)}</a>}{' '}
          {subject && <DataText text={subject} />}
        </Row>
        {by && (
          <Row label="In git by">
            <DataText text={by.name} />, {localTime(by.at).day}
          </Row>
        )}
        {why.mutation_class && (
          <Row label="Class">
            {why.mutation_class}: <DataText text={why.evidence ?? ''} />
          </Row>
        )}
        {how !== 'none' && (
          <Row label="Known by">
            {EVIDENCE_TEXT[how]}
            {record !== null && (
              <span title={escapeInvisible(record)}>, record {escapeInvisible(record.slice(0, 8))}</span>
            )}
          </Row>
        )}
      </dl>
    </div>
  )
}

function Row({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
