import { renderToString } from 'preact-render-to-string'
import { expect, test } from 'vitest'
import { CommitTable, DeclarationTable, FileTable } from '../../../../src/shells/ui/pages/intent-tables.tsx'
import { pageCounts } from '../../../rig/page-counts.ts'

const commit = {
  ...{ commit: 'c'.repeat(40), date: '', committed: '', author: 'Ada', subject: '<i>add</i>', intents: [] },
  governance: null,
}
const entry = { intent: 'INT-001', path: 'src/a.ts', kind: 'function', name: 'pay', hash: 'h', commits: ['abc'] }

test('the numbers of a file lead to its lines, those alive and those added', () => {
  const files = [{ path: 'src/a b', added: 9, alive: 7 }]
  const html = renderToString(<FileTable intent="INT-001" files={files} />)
  expect(pageCounts(html)).toEqual({
    '7 lines in HEAD': 'lines?alive=yes&file=src%2Fa+b&policy=no&intent=INT-001',
    '9 added lines': 'lines?file=src%2Fa+b&policy=no&intent=INT-001',
  })
  expect(html).toContain('value="7"')
})

test('a commit has its subject as text, and a declaration its kind, file and commits', () => {
  expect(renderToString(<CommitTable commits={[commit]} now={0} />)).toContain('&lt;i>add')
  const html = renderToString(<DeclarationTable entries={[entry, { ...entry, name: '', kind: 'file' }]} />)
  expect(html).toContain('pay')
  expect(html).toContain('whole file')
  expect(html).toContain('href="ranges/abc%5E!"')
})

test('an empty table says what is not there', () => {
  expect(renderToString(<CommitTable commits={[]} now={0} />)).toContain('No commit of HEAD cites the intent.')
  expect(renderToString(<FileTable intent="INT-001" files={[]} />)).toContain('No commit has added a line')
  expect(renderToString(<DeclarationTable entries={[]} />)).toContain('has nothing of the intent')
})
