import { expect, test } from 'vitest'
import { openWorkspace } from '../../../src/world/io/worktree/workspace.ts'
import { type OtlpFault, startOtlpReceiver } from '../../rig/otlp-receiver.ts'
import { temporaryRepo } from '../../rig/repo.ts'
import { appendLines, exportTo, receivedUids, sealedLines, writeOf } from '../../rig/telemetry-export.ts'

const RECORDS = 100_000

/** Faults in turn: a busy receiver, a lost answer, a connection that is closed, an answer that never comes. */
function faultOf(request: number): OtlpFault | null {
  if (request % 10 === 3) return { status: 503, headers: { 'retry-after': '1' } }
  if (request % 10 === 5) return 'lost'
  if (request % 10 === 7) return 'closed'
  if (request % 100 === 9) return 'silent'
  return request % 50 === 11 ? { status: 429 } : null
}

function countsOf(uids: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const it of uids) counts.set(it, (counts.get(it) ?? 0) + 1)
  return counts
}

test(
  '100,000 records arrive once each over a receiver that fails, hangs and restarts',
  { timeout: 600_000 },
  async () => {
    await using repo = await temporaryRepo({ '.gitignore': '.orchestration\n' })
    await using receiver = await startOtlpReceiver()
    const drafts = Array.from({ length: RECORDS }, (_, n) => writeOf(`src/${n % 100}.ts`))
    const lines = sealedLines(drafts)
    await appendLines(
      await openWorkspace(repo.root),
      lines.map(it => it.line),
    )
    let [requests, restarts] = [0, 0]
    receiver.fault = signal => (signal === 'logs' ? faultOf(requests++) : null)
    // Between two requests the receiver may be gone, and come back later.
    let isUp = true
    const pause = async () => {
      if (!isUp) {
        await receiver.restart()
        isUp = true
      } else if (requests % 30 === 4) {
        await receiver.stop()
        isUp = false
        restarts++
      }
    }
    // The exporter waits for an answer as long as its own variable says.
    process.env['OTEL_EXPORTER_OTLP_TIMEOUT'] = '700'
    const { counts, pauses, ...asked } = await exportTo(repo, { url: receiver.url, pause }).finally(() => {
      delete process.env['OTEL_EXPORTER_OTLP_TIMEOUT']
    })
    const arrived = countsOf(receivedUids(receiver))
    const unanswered = countsOf(asked.unanswered)
    expect(counts).toMatchObject({ records: RECORDS, skipped: 0, rejected: 0, damaged: 0 })
    expect(arrived.size).toBe(RECORDS)
    expect(lines.filter(it => !arrived.has(it.record.id))).toEqual([])
    // A record is there a second time only because a request with it had no answer.
    const wrong = [...arrived].filter(([uid, count]) => count > 1 + (unanswered.get(uid) ?? 0))
    expect(wrong).toEqual([])
    const twice = [...arrived].filter(([, count]) => count > 1).length
    expect(twice).toBeGreaterThanOrEqual(new Set(receiver.unanswered).size)
    expect([receiver.unanswered.length > 1_000, restarts > 1, pauses.length > 40]).toEqual([true, true, true])
    const writes = receiver.points.filter(it => it.metric === 'kotef.writes')
    expect(writes.at(-1)).toMatchObject({ value: RECORDS, isCumulative: true })
  },
)
