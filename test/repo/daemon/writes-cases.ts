import { chmod, rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { blobOid } from '../../../src/core/git/blob-oid.ts'
import type { Repo } from '../../rig/repo.ts'

const oidOf = (text: string | Buffer): string => blobOid(Buffer.from(text))
/** A file of five lines. */
export const five = 'one\ntwo\nthree\nfour\nfive\n'
const at = (repo: Repo, path: string): string => join(repo.root, path)

type Case = {
  readonly before?: Readonly<Record<string, string | Buffer>>
  readonly act: (repo: Repo) => Promise<unknown>
  readonly records: readonly Record<string, unknown>[]
}

/** What is done to a repository that is watched, and what its records then say, sorted by path. */
export const cases: Readonly<Record<string, Case>> = {
  'a new file is one range': {
    act: repo => repo.write('src/a.ts', 'x\ny\n'),
    records: [{ path: 'src/a.ts', op: 'create', before: null, after: oidOf('x\ny\n'), removed: [], ranges: [[1, 2]] }],
  },
  'a changed file is its hunks': {
    before: { 'src/a.ts': five },
    act: repo => repo.write('src/a.ts', 'one\nTWO\nthree\nfive\nsix\n'),
    records: [
      {
        path: 'src/a.ts',
        op: 'modify',
        before: oidOf(five),
        after: oidOf('one\nTWO\nthree\nfive\nsix\n'),
        removed: [
          { start_line: 2, lines: 1 },
          { start_line: 4, lines: 1 },
        ],
        ranges: [
          [2, 2],
          [5, 5],
        ],
      },
    ],
  },
  'a deleted file is what it had': {
    before: { 'src/a.ts': five },
    act: repo => rm(at(repo, 'src/a.ts')),
    records: [
      {
        path: 'src/a.ts',
        op: 'delete',
        before: oidOf(five),
        after: null,
        removed: [{ start_line: 1, lines: 5 }],
        ranges: [],
      },
    ],
  },
  'a moved file names both ends': {
    before: { 'src/a.ts': five },
    act: repo => rename(at(repo, 'src/a.ts'), at(repo, 'src/b.ts')),
    records: [
      {
        path: 'src/b.ts',
        from: 'src/a.ts',
        op: 'rename',
        before: oidOf(five),
        after: oidOf(five),
        removed: [],
        ranges: [],
      },
    ],
  },
  'a mode is a change': {
    before: { 'src/a.sh': five },
    act: repo => chmod(at(repo, 'src/a.sh'), 0o755),
    records: [
      {
        path: 'src/a.sh',
        op: 'modify',
        before: oidOf(five),
        after: oidOf(five),
        mode: { before: '100644', after: '100755' },
        removed: [],
        ranges: [],
      },
    ],
  },
  'a symlink is its target, not the file behind it': {
    before: { 'secret.txt': 'secret\n' },
    act: async repo => {
      await repo.write('src/keep', '')
      await symlink('../secret.txt', at(repo, 'src/link'))
    },
    records: [
      { path: 'src/keep', op: 'create', before: null, after: oidOf(''), removed: [], ranges: [] },
      {
        path: 'src/link',
        op: 'create',
        before: null,
        after: oidOf('../secret.txt'),
        mode: { before: null, after: '120000' },
        opaque: 'symlink',
        removed: [],
        ranges: [],
      },
    ],
  },
  'a binary file has no lines': {
    act: repo => repo.write('src/a.png', Buffer.from([0x89, 0, 1, 2, 10])),
    records: [
      {
        path: 'src/a.png',
        op: 'create',
        before: null,
        after: oidOf(Buffer.from([0x89, 0, 1, 2, 10])),
        opaque: 'binary',
        removed: [],
        ranges: [],
      },
    ],
  },
  'a text of 2 MB is told by its oid': {
    act: repo => repo.write('src/big.txt', `${'x'.repeat(99)}\n`.repeat(20_972)),
    records: [
      {
        path: 'src/big.txt',
        op: 'create',
        before: null,
        after: oidOf(`${'x'.repeat(99)}\n`.repeat(20_972)),
        opaque: 'oversized',
        removed: [],
        ranges: [],
      },
    ],
  },
  'an empty file has no range': {
    act: repo => repo.write('src/empty', ''),
    records: [{ path: 'src/empty', op: 'create', before: null, after: oidOf(''), removed: [], ranges: [] }],
  },
  'CRLF is kept in the oid and left out of the lines': {
    before: { 'src/a.bat': 'a\r\nb\r\n' },
    act: repo => repo.write('src/a.bat', 'a\r\nB\r\n'),
    records: [
      {
        path: 'src/a.bat',
        op: 'modify',
        before: oidOf('a\r\nb\r\n'),
        after: oidOf('a\r\nB\r\n'),
        removed: [{ start_line: 2, lines: 1 }],
        ranges: [[2, 2]],
      },
    ],
  },
  'a last line without a newline is a line': {
    before: { 'src/a.ts': 'a\nb' },
    act: repo => repo.write('src/a.ts', 'a\nb\nc'),
    records: [
      {
        path: 'src/a.ts',
        op: 'modify',
        before: oidOf('a\nb'),
        after: oidOf('a\nb\nc'),
        removed: [{ start_line: 2, lines: 1 }],
        ranges: [[2, 3]],
      },
    ],
  },
  'a path may have spaces, quotes, a newline and UTF-8': {
    act: repo => repo.write('src/ein "schöner"\nName ✓.ts', 'x\n'),
    records: [
      {
        path: 'src/ein "schöner"\nName ✓.ts',
        op: 'create',
        before: null,
        after: oidOf('x\n'),
        removed: [],
        ranges: [[1, 1]],
      },
    ],
  },
  'what gitignore ignores is nobody’s business': {
    before: { '.gitignore': 'build/\n*.log\n' },
    act: async repo => {
      await repo.write('build/out.js', 'x')
      await repo.write('src/noise.log', 'x')
      await repo.write('src/a.ts', 'x\n')
    },
    records: [{ path: 'src/a.ts', op: 'create', before: null, after: oidOf('x\n'), removed: [], ranges: [[1, 1]] }],
  },
  'an atomic save is one write': {
    before: { 'src/a.ts': five },
    act: async repo => {
      await repo.write('src/.a.ts.tmp', `${five}six\n`)
      await rename(at(repo, 'src/.a.ts.tmp'), at(repo, 'src/a.ts'))
    },
    records: [
      {
        path: 'src/a.ts',
        op: 'modify',
        before: oidOf(five),
        after: oidOf(`${five}six\n`),
        removed: [],
        ranges: [[6, 6]],
      },
    ],
  },
}
