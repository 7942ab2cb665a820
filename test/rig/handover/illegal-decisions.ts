import { broken, type IllegalRow, inLoop, withDecision, withStatus, withText } from './corpus-rows.ts'
import { answered, approval, pending, sessionIn, strategy, requested } from './session-files.ts'

/** Decisions that are not valid, or may not change like that. */
export const illegalDecisions: readonly IllegalRow[] = [
  broken('handover-decision')('a pending decision with an answer', withDecision(pending(1, { answer: 'EUR' }))),
  broken('handover-decision')(
    'a pending decision with an end',
    withDecision(pending(1, { resolved_at: '2026-02-01T00:00:00Z' })),
  ),
  broken('handover-decision')('a pending decision with a reason', withDecision(pending(1, { resolution_reason: 'x' }))),
  broken('handover-decision')('an answered decision with an empty answer', withDecision(answered(1, ' '))),
  broken('handover-decision')(
    'an answered decision without an end',
    withDecision(answered(1, 'EUR', { resolved_at: null })),
  ),
  broken('handover-decision')(
    'a cancelled decision without a reason',
    withDecision(answered(1, 'x', { status: 'cancelled', answer: null })),
  ),
  broken('handover-decision')(
    'a skipped decision without a reason',
    withDecision(answered(1, 'x', { status: 'skipped', answer: null })),
  ),
  broken('handover-decision')(
    'an end before the question',
    withDecision(answered(1, 'EUR', { resolved_at: '2026-01-30T00:00:00Z' })),
  ),
  broken('handover-decision')(
    'a question that interrupted ASK_USER',
    withDecision(answered(1, 'EUR', { state_context: 'ASK_USER' })),
  ),
  broken('handover-decision')(
    'a question twice',
    withStatus(it => it['user_decisions'].push(answered(1, 'EUR'), answered(1, 'EUR'))),
  ),
  broken('handover-decision')(
    'work that goes on while a question waits',
    withStatus(it => it['user_decisions'].push(pending(1))),
  ),
  broken('handover-decision')(
    'ASK_USER without a question',
    sessionIn('INTAKE', { status: it => (it['current_state'] = 'ASK_USER') }),
  ),
  broken('handover-decision')(
    'an answer to the design that is neither',
    sessionIn('APPROVE_DESIGN', { status: it => it['user_decisions'].push(approval('looks good')) }),
  ),
  broken('handover-decision')(
    'a request for changes that says none',
    sessionIn('APPROVE_DESIGN', { status: it => it['user_decisions'].push(approval('changes-requested: ')) }),
  ),
  broken('handover-decision')(
    'an answer that only begins like approved',
    sessionIn('APPROVE_DESIGN', { status: it => it['user_decisions'].push(approval('approvedX')) }),
  ),
  broken('handover-decision')(
    'a review strategy in other words',
    sessionIn('REVIEW_STRATEGY', { status: it => it['user_decisions'].push(strategy('per batch')) }),
  ),
  broken('handover-decision')(
    'the gate of the design in another state',
    sessionIn('INTAKE', { status: it => it['user_decisions'].push({ ...approval(), state_context: 'DESIGN' }) }),
  ),
  broken('handover-decision')('a decision that is removed', inLoop(), withDecision(answered(1, 'EUR'))),
  broken('handover-decision')(
    'another answer to a question that was answered',
    withDecision(answered(1, 'USD')),
    withDecision(answered(1, 'EUR')),
  ),
  broken('handover-decision')(
    'a question that is asked again under its number',
    withDecision(pending(1)),
    withDecision(answered(1, 'EUR')),
  ),
  broken('handover-decision')(
    'another question under the same number',
    withDecision(answered(1, 'EUR', { question: 'Which rate?' })),
    withDecision(pending(1)),
  ),
  broken('handover-decision')('a number that is left out', withDecision(answered(2, 'EUR')), inLoop()),
  broken('handover-decision')(
    'a request for changes that is overwritten without a trace',
    sessionIn('PLAN'),
    requested({ kept: true, answer: 'changes-requested: smaller' }),
  ),
  broken('handover-approval')(
    'a request for changes that the history lacks',
    requested({ kept: false, answer: 'changes-requested: smaller' }),
  ),
  broken('handover-approval')(
    'a history that is rewritten',
    requested({ kept: true, answer: 'changes-requested: b' }),
    requested({ kept: true, answer: 'changes-requested: a' }),
  ),
  broken('handover-approval')(
    'a design that changes after its approval',
    withText('architecture.md', '# A\n\n## Overview\n\nOther.\n\n## Modules\n\n- x\n'),
  ),
  broken('handover-approval')(
    'a spec that changes after the approval of the design',
    withText('spec.md', `${sessionIn('INTAKE').texts.get('spec.md')}\nMore.\n`),
  ),
]
