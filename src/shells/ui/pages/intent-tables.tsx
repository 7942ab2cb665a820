import type { JSX } from 'preact'
import type { LoggedCommit } from '../../../core/git/log.ts'
import type { MapEntry } from '../../../core/code/map/map-entry.ts'
import type { FileLineCounts } from './intent-facts.ts'
import { CommitLink } from './lines-page.tsx'
import { links } from './links.ts'
import { Count, DataText, PathLink, Table, When } from './parts.tsx'

/** The commits that cite an intent. */
export function CommitTable({ commits, now }: { readonly commits: readonly LoggedCommit[]; readonly now: number }) {
  return (
    <Table
      caption="Commits of the intent"
      columns={['Commit', 'Subject', 'In git by', 'When']}
      rows={commits.map(it => [
        <CommitLink oid={it.commit} />,
        <DataText text={it.subject} />,
        <DataText text={it.author} />,
        <When at={it.committed} now={now} />,
      ])}
      empty="No commit of HEAD cites the intent."
    />
  )
}

/** The files with lines of an intent. Moved lines are alive in the file in which HEAD has them. */
export function FileTable({ intent, files }: { readonly intent: string; readonly files: readonly FileLineCounts[] }) {
  const href = (file: string, alive?: 'yes') => links.lines({ intent, alive, file, policy: 'no' })
  return (
    <Table
      caption={`Files with lines of ${intent}`}
      columns={['File', '#Alive', '#Added', 'Alive of added']}
      rows={files.map(({ path, alive, added }) => [
        <PathLink path={path} />,
        <Count n={alive} href={href(path, 'yes')} of="lines in HEAD" />,
        <Count n={added} href={href(path)} of="added lines" />,
        <meter min={0} max={Math.max(alive, added, 1)} value={alive} aria-label="Share of the lines that are alive" />,
      ])}
      empty="No commit has added a line for the intent."
    />
  )
}

/** The declarations that the intent map has of an intent. */
export function DeclarationTable({ entries }: { readonly entries: readonly MapEntry[] }): JSX.Element {
  return (
    <Table
      caption="Declarations of the intent"
      columns={['Declaration', 'Kind', 'File', 'Commits']}
      rows={entries.map(it => [
        <DataText text={it.name === '' ? 'whole file' : it.name} />,
        <DataText text={it.kind} />,
        <PathLink path={it.path} />,
        it.commits.map(oid => (
          <>
            <CommitLink oid={oid} />{' '}
          </>
        )),
      ])}
      empty="The map of HEAD has nothing of the intent."
    />
  )
}
