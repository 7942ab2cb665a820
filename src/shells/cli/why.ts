import { intentName } from '../../core/authorship/line-intent.ts'
import type { BlamedLine } from '../../world/provenance/blamed-line.ts'
import { readCommitSummaries } from '../../world/provenance/commit-queries.ts'
import { KotefError } from '../../core/base/failure.ts'
import { escapeForTerminal, printable } from '../../core/base/printable.ts'
import { loadRegistry } from '../../world/intents/policy/load-policy.ts'
import { intentsWithLiveStatus } from '../../world/intents/sessions/intents-in-work.ts'
import { blameFile } from './blame.ts'
import { authorWords } from '../../core/report/author-words.ts'
import { EVIDENCE_TEXT } from '../../core/report/certainty.ts'
import { localTime } from '../../core/report/local-time.ts'
import { intentLines } from '../../core/report/intent-lines.ts'
import { firstArgument, type RunVerb } from './verb.ts'

/** `kotef why`: the commit, author, session, record and intent of one line. */
export const run: RunVerb = async call => {
  const [, file, number] = /^([^]+):(\d+)$/.exec(firstArgument(call)) ?? []
  if (file === undefined || number === undefined) {
    throw new KotefError('usage', 'Name a line as file:line, such as src/pay/refund.ts:14')
  }
  const { workspace, path, lines } = await blameFile(call, { file, revision: null, ranges: [`${number},${number}`] })
  const [line] = lines
  if (!line) throw new KotefError('usage', `${printable(path)} has no line ${number}.`)
  const about =
    line.commit === null ? null : ((await readCommitSummaries(workspace.git, [line.commit])).get(line.commit) ?? null)
  const { intents } = await loadRegistry(workspace).catch(() => ({ intents: [] }))
  const cited = intents.filter(it => it.id === line.author.intent || line.either?.includes(it.id))
  const live = await intentsWithLiveStatus(workspace, cited)
  const text = [...provenanceLines(line, about?.subject ?? null), ...live.flatMap(it => ['', ...intentLines(it)])]
  const [intent = null] = line.either ? [] : live
  return {
    text: text.map(escapeForTerminal).join('\n'),
    forReading: 'list',
    json: { file: path, ...line, subject: about?.subject ?? null, intent },
  }
}

function provenanceLines(line: BlamedLine, subject: string | null): string[] {
  const { commit, by, author, either, record, how, ...change } = line
  const { session, intent } = author
  // What is not known has no row.
  return [
    `commit   ${commit === null ? 'none yet' : `${commit.slice(0, 10)} ${subject ?? ''}`}`,
    ...(by === null ? [] : [`by       ${by.name}, ${Object.values(localTime(by.at)).join(' ')}`]),
    ...(change.mutation_class ? [`class    ${change.mutation_class}: ${change.evidence ?? ''}`] : []),
    `author   ${authorWords(line)}`,
    ...(session === null ? [] : [`session  ${session}`]),
    ...(record === null ? [] : [`record   ${record}`]),
    ...(how === 'none' ? [] : [`known by ${EVIDENCE_TEXT[how]}`]),
    `intent   ${intentName({ intent, either }) ?? 'none'}${either ? ' (the commit cites them all)' : ''}`,
  ]
}
