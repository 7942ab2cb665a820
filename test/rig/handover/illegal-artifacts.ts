import { broken, type IllegalRow, inLoop, withText } from './corpus-rows.ts'
import { sessionIn } from './session-files.ts'

const ROWS: readonly IllegalRow[] = [
  ...['status.json', 'spec.md', 'acceptance.json', 'architecture.md', 'tasks.yaml'].map(it =>
    broken('handover-missing')(`no ${it}`, withText(it, null)),
  ),
  ...['Goals', 'Acceptance Criteria', 'Definition of Done'].map(it =>
    broken('handover-missing')(
      `a spec without ${it}`,
      withText('spec.md', without(sessionIn('INTAKE').texts.get('spec.md')!, it)),
    ),
  ),
  ...['Overview', 'Modules/components'].map(it =>
    broken('handover-missing')(
      `an architecture without ${it}`,
      withText('architecture.md', without(inLoop().texts.get('architecture.md')!, it)),
    ),
  ),
  broken('handover-missing')(
    'a section without content',
    withText('spec.md', '# Spec\n\n## Goals\n\n## Acceptance Criteria\n\nx\n\n## Definition of Done\n\nx\n'),
  ),
  broken('handover-missing')('DONE without a report', sessionIn('DONE', { files: { 'report.md': null } })),
  ...['What was done', 'How to run', 'How to test', 'Known issues'].map(it =>
    broken('handover-missing')(
      `DONE with a report without ${it}`,
      sessionIn('DONE', { files: { 'report.md': without(sessionIn('DONE').texts.get('report.md')!, it) } }),
    ),
  ),
]

/** Sessions that lack an artifact, or a part of one, which they had before or need now. */
export const lackingArtifacts: readonly IllegalRow[] = ROWS.map(it => ({
  ...it,
  before: it.title.startsWith('DONE') ? sessionIn('RELEASE') : inLoop(),
}))

function without(markdown: string, heading: string): string {
  return markdown.replace(`## ${heading}`, '## Something else')
}
