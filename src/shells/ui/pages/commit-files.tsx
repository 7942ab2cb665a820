import type { JSX } from 'preact'
import { idsOfName } from '../../../core/authorship/line-intent.ts'
import { plural, printable } from '../../../core/base/printable.ts'
import type { ChangedFile, CommitDiff, DiffAuthor, DiffBlock } from './commit-facts.ts'
import { LineDelta } from './commit-figures.tsx'
import { BlameHead } from './file-lines.tsx'
import { IntentPlaces } from './frame-context.ts'
import { links } from './links.ts'
import { AuthorBadge, DataText, Empty, groupedDigits, hueOf, IntentNames, PathLink, Section } from './parts.tsx'

/** The files that a commit changes, each with its hunks; those of governance are folded beside others. */
export function CommitChanges({ diff }: { readonly diff: CommitDiff }): JSX.Element {
  const { files, filesLeftOut, parents } = diff
  const governance = files.filter(it => it.isGovernance)
  const work = files.filter(it => !it.isGovernance)
  return (
    <Section title="Changes">
      {files.length === 0 && <Empty text={parents > 1 ? MERGE_WITHOUT_CHANGES : 'The commit changes no file.'} />}
      {work.map(it => (
        <FileChange file={it} />
      ))}
      {governance.length > 0 && (
        <details class="governance" open={work.length === 0}>
          <summary>
            {plural(governance.length, 'governance file')}{' '}
            <LineDelta added={sumOf(governance, 'added')} removed={sumOf(governance, 'removed')} />
          </summary>
          {governance.map(it => (
            <FileChange file={it} />
          ))}
        </details>
      )}
      {filesLeftOut > 0 && <p class="hint">… and {groupedDigits(filesLeftOut)} more files, which are not listed.</p>}
    </Section>
  )
}

const MERGE_WITHOUT_CHANGES = 'The merge has no line of its own: each is in one of the commits that it merges.'

function sumOf(files: readonly ChangedFile[], count: 'added' | 'removed'): number {
  return files.reduce((sum, it) => sum + it[count], 0)
}

function FileChange({ file }: { readonly file: ChangedFile }): JSX.Element {
  const { path, from, words, added, removed, hunks, leftOut } = file
  return (
    <div class="changed-file">
      <div class="changed-title">
        <h3>
          <PathLink path={path} />
        </h3>
        {from !== null && (
          <span class="quiet">
            renamed from <bdi>{printable(from)}</bdi>
          </span>
        )}
        {words.length > 0 && <span class="quiet">{words.join(', ')}</span>}
        <LineDelta added={added} removed={removed} />
      </div>
      {hunks.length > 0 && <DiffTable path={path} hunks={hunks} />}
      {leftOut > 0 && (
        <p class="cut">
          {groupedDigits(leftOut)} more lines of this change are not shown.{' '}
          <a href={links.file(path)}>The whole file as it is now</a>
        </p>
      )}
    </div>
  )
}

type DiffProps = Pick<ChangedFile, 'path' | 'hunks'>

function DiffTable({ path, hunks }: DiffProps): JSX.Element {
  return (
    <table class="blame diff">
      <caption class="unseen">Changed lines of {printable(path)}, the added ones with their intent and author</caption>
      <BlameHead />
      <IntentPlaces.Consumer>
        {(places: ReadonlyMap<string, number>) =>
          hunks.map((blocks, n) => (
            <>
              {n > 0 && <HunkGap />}
              {blocks.map(it => (
                <BlockOfDiff block={it} tone={toneOfBlock(it.by, places)} />
              ))}
            </>
          ))
        }
      </IntentPlaces.Consumer>
    </table>
  )
}

function HunkGap(): JSX.Element {
  return (
    <tbody class="gap">
      <tr>
        <td colSpan={3}>⋯</td>
      </tr>
    </tbody>
  )
}

/** The class with the colour of added lines: that of their intent, if they have one alone. */
function toneOfBlock(by: DiffAuthor | null, places: ReadonlyMap<string, number>): string {
  if (by === null) return ''
  const [id, ...others] = by.intent === null ? [] : idsOfName(by.intent)
  return id === undefined || others.length > 0 ? 'tone-none' : hueOf(id, places)
}

function BlockOfDiff({ block: { side, by, lines }, tone }: { readonly block: DiffBlock; readonly tone: string }) {
  return (
    <tbody class={`${by === null ? '' : 'block'} is-${side} ${tone}`.trim()}>
      {lines.map(({ number, text }, n) => (
        <tr>
          {n === 0 && <Margin by={by} rows={lines.length} />}
          <td class="number">{number}</td>
          <td class="text">
            <code>
              <span class="sign">{SIGNS[side]}</span>
              <DataText text={text} />
            </code>
          </td>
        </tr>
      ))}
    </tbody>
  )
}

const SIGNS = { added: '+', removed: '-', kept: ' ' } as const

function Margin({ by, rows }: { readonly by: DiffAuthor | null; readonly rows: number }): JSX.Element {
  if (by === null) return <td class="for no-margin" rowSpan={rows} />
  return (
    <th scope="rowgroup" rowSpan={rows} class="for">
      <span class="block-title">
        <IntentNames name={by.intent} /> <AuthorBadge author={by.author} />
      </span>
    </th>
  )
}
