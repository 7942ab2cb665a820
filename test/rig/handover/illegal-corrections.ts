import { designBlobs } from '../../../src/core/handover/handover-session.ts'
import { broken, type IllegalRow } from './corpus-rows.ts'
import { correcting, corrections, sessionIn } from './session-files.ts'

const LATER = '2026-02-01T00:00:00Z'
const based_on = designBlobs(sessionIn('APPROVE_DESIGN'))
const at = correcting

/** Corrections of a design that do not go from queued to dispatched to completed, once. */
export const illegalCorrections: readonly IllegalRow[] = [
  broken('handover-format')(
    'corrections by a Coder',
    at('DESIGN', corrections('dispatched', { agent: 'Coder' })),
    sessionIn('APPROVE_DESIGN'),
  ),
  broken('handover-transition')(
    'corrections by nobody',
    at('DESIGN', corrections('dispatched', { agent: null })),
    sessionIn('APPROVE_DESIGN'),
  ),
  broken('handover-transition')('corrections that nobody queued', at('DESIGN', {}), sessionIn('APPROVE_DESIGN')),
  broken('handover-transition')(
    'corrections that are dispatched twice',
    at('APPROVE_DESIGN', corrections('dispatched', { at: LATER })),
    at('APPROVE_DESIGN', corrections('dispatched')),
  ),
  broken('handover-transition')(
    'corrections that are dispatched again when they are completed',
    at('DESIGN', corrections('dispatched', { at: LATER })),
    at('APPROVE_DESIGN', corrections('completed')),
  ),
  broken('handover-transition')(
    'corrections that are completed, and back in DESIGN',
    at('DESIGN', corrections('completed')),
    at('APPROVE_DESIGN', corrections('completed')),
  ),
  broken('handover-transition')(
    'corrections that are queued again',
    at('APPROVE_DESIGN', corrections('queued', { agent: 'Architect', task_id: 'meta', at: '2026-01-31T10:00:00Z' })),
    at('APPROVE_DESIGN', corrections('dispatched')),
  ),
  broken('handover-transition')(
    'corrections that are forgotten',
    at('APPROVE_DESIGN', corrections('none')),
    at('APPROVE_DESIGN', corrections('dispatched')),
  ),
  broken('handover-transition')(
    'corrections that are completed and not made',
    at('APPROVE_DESIGN', corrections('completed')),
    at('APPROVE_DESIGN', corrections('queued')),
  ),
  broken('handover-transition')(
    'corrections that are completed on the design to which they were dispatched',
    at('APPROVE_DESIGN', corrections('completed', { based_on })),
    at('DESIGN', corrections('dispatched', { based_on })),
  ),
]
