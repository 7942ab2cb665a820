import { describe, expect, test } from 'vitest'
import { readShell } from '../../../../../src/core/agents/gate/shell/read-shell.ts'
import { type FolderTest, withSureFolders } from '../../../../../src/core/agents/gate/shell/sure-folders.ts'

// `src`, `src/api` and `/w/src` are folders, `src/a.js` is a file.
const here: FolderTest = path =>
  ['.', 'src', 'src/api', '/w/src', '/'].includes(path) ? 'folder' : path === 'src/a.js' ? 'other' : 'free'
const targetsOf = (line: string) => readShell(line, '', here).targets.map(it => it.path)

describe('a line writes only where it goes for sure (bugs F5)', () => {
  test.each<[string, string[]]>([
    ['cd src; echo x > a.js', ['src/a.js']],
    ['cd src\necho x > a.js', ['src/a.js']],
    ['(cd src; touch n.js)', ['src/n.js']],
    ['set -e; cd src; sed -i s/a/b/ a.js', ['src/a.js']],
    ['mkdir -p src/new; cd src/new; echo x > f.js', ['src/new', 'src/new/f.js']],
    ['cd /w/src; echo x > a.js', ['/w/src/a.js']],
    ['cd src; cd api; echo x > a.js; echo y > b.js', ['src/api/a.js', 'src/api/b.js']],
    ['cd src; echo x > a.js # done', ['src/a.js']],
    ['cd src\ncat > a.js <<E\nx\nE', ['src/a.js']],
    ['(cd src; touch n.js); touch m.js', ['src/n.js', 'm.js']],
  ])('%j', (line, targets) => {
    expect(targetsOf(line)).toEqual(targets)
  })

  test.each([
    'cd lib; echo x > a.js',
    'cd src/a.js; echo x > a.js',
    'rm -rf src; cd src; echo x > a.js',
    'mv src lib; cd src; echo x > a.js',
    'make clean; cd src; echo x > a.js',
    'alias cd=:; cd src; echo x > a.js',
    'CDPATH=/x; cd src; echo x > a.js',
    'X=1 cd src; echo x > a.js',
    'cd src 2>/dev/null; echo x > a.js',
    'cd "$d"; echo x > a.js',
    'cd ~/src; echo x > a.js',
    'cd -P src; echo x > a.js',
    'mkdir src/a.js; cd src/a.js; echo x > a.js',
    'mkdir new/deep; cd new/other; echo x > a.js',
    'sleep 1 & cd src; echo x > a.js',
    'if true; then cd src; fi; echo x > a.js',
  ])('but not %j', line => {
    expect(withSureFolders(line, here)).toBe(line)
  })
})
