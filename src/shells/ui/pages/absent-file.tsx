import type { JSX } from 'preact'
import type { AbsentFile, AbsentKind } from './file-facts.ts'
import { links } from './links.ts'
import { DataText, Empty, When } from './parts.tsx'

/** Says why a file has no lines to show, and which commit changed it last. */
export function AbsentNotice({ file, now }: { readonly file: AbsentFile; readonly now: number }): JSX.Element {
  const { kind, last } = file
  return (
    <>
      <Empty text={ABSENT_WORDS[kind]} />
      {last && (
        <p>
          Last changed by <a href={links.commit(last.commit)}>{last.commit.slice(0, 10)}</a>{' '}
          <DataText text={last.subject} /> <When at={last.at} now={now} />
        </p>
      )}
    </>
  )
}

const ABSENT_WORDS: Readonly<Record<AbsentKind, string>> = {
  missing: 'There is no such file in the worktree.',
  binary: 'The file is binary, so it has no lines.',
  folder: 'This is a folder.',
  link: 'This is a symbolic link, which has no lines of its own.',
  ignored: 'Git ignores this file: no commit has it, and kotef knows nothing of its lines.',
  outside: 'The path is not in this repository.',
  unreadable: 'Git can’t blame the file, or it can’t be read.',
}
