import { KotefError, toKotefError } from '../../core/base/failure.ts'
import type { Review } from '../../core/report/review/review.ts'
import { failureMarkdown, reviewHtml, reviewJson, reviewMarkdown } from '../../core/report/review/review-text.ts'
import { keepComment } from '../../world/views/keep-comment.ts'
import { reviewRange } from '../../world/views/review-range.ts'
import type { RangeRequest } from '../../world/verify/run-verify.ts'
import { openRepository } from '../../world/io/worktree/workspace.ts'
import { firstArgument, type RunVerb, textOption, type VerbCall } from './verb.ts'

/** `kotef report`: what a reviewer of a range of commits has to know, as Markdown, HTML or JSON. */
export const run: RunVerb = async call => {
  const request = rangeRequest(call)
  const workspace = await openRepository(call.cwd)
  const comment = async (report: string) => {
    if (call.options['comment'] === true) call.notify(await keepComment(workspace, call.env, report))
  }
  const review = await reviewRange(workspace, request).catch(async (thrown: unknown) => {
    // An earlier report must not stay as if it were about the newest commits.
    await comment(failureMarkdown(toKotefError(thrown)))
    throw thrown
  })
  await comment(reviewMarkdown(review))
  return {
    text: REPORT_FORMATS[reportFormat(call)](review),
    json: review,
    exit: review.verdict === 'blocked' ? 1 : 0,
    // A name or a subject can look like a command to paste, and is shown as it is.
    forReading: 'list',
  }
}

const REPORT_FORMATS = {
  md: reviewMarkdown,
  html: reviewHtml,
  json: reviewJson,
} as const satisfies Record<string, (it: Review) => string>

// The command line takes no other format.
function reportFormat(call: VerbCall): keyof typeof REPORT_FORMATS {
  return (textOption(call, 'format') ?? 'md') as keyof typeof REPORT_FORMATS
}

function rangeRequest(call: VerbCall): RangeRequest {
  const range = firstArgument(call)
  const isCi = call.options['ci'] === true
  if (isCi && range !== '') throw new KotefError('usage', 'Only one of a range and --ci can be reported at a time.')
  if (call.options['comment'] === true && !isCi) throw new KotefError('usage', '--comment needs --ci.')
  return {
    way: isCi ? { way: 'ci' } : { way: 'range', range: range || null },
    env: call.env,
    allowEmpty: call.options['allowEmpty'] === true,
    isEach: call.options['each'] === true,
    requireTrace: call.options['requireTrace'] === true,
    runChecks: call.options['runChecks'] === true,
    onlyRefactors: call.options['refactorOnly'] === true,
    running: command => call.notify(`$ ${command}`),
  }
}
