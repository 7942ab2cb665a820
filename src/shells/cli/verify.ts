import { text as textOf } from 'node:stream/consumers'
import { KotefError } from '../../core/base/failure.ts'
import { isRefused, type Verification, verificationGithub, verificationText } from '../../core/report/verification.ts'
import { VERSION } from '../../world/io/files/package.ts'
import { verificationSarif } from '../../core/report/verification-sarif.ts'
import type { VerbOutput } from '../../core/report/verb-output.ts'
import { runVerify, type VerifyMode } from '../../world/verify/run-verify.ts'
import { openRepository, openWorkspace } from '../../world/io/worktree/workspace.ts'
import { firstArgument, type RunVerb, textOption, type VerbCall } from './verb.ts'

/** `kotef verify`: judges a range of commits, a push or the index by the policy from before it. */
export const run: RunVerb = async call => {
  const format = formatOf(call)
  const way = await modeOf(call)
  const open = way.way === 'staged' ? openWorkspace : openRepository
  const verification = await runVerify(await open(call.cwd), {
    way,
    env: call.env,
    allowEmpty: call.options['allowEmpty'] === true,
    isEach: call.options['each'] === true,
    requireTrace: call.options['requireTrace'] === true,
    onlyRefactors: call.options['refactorOnly'] === true,
    runChecks: call.options['runChecks'] === true,
    running: command => call.notify(`$ ${command}`),
  })
  return verificationAnswer(verification, { format, way })
}

// A git hook is silent when there are no findings.
function verificationAnswer(
  verification: Verification,
  { format, way }: { format: VerificationFormat; way: VerifyMode },
): VerbOutput {
  const isSilent = format === 'text' && way.way === 'pre-receive' && verification.findings.length === 0
  return {
    text: isSilent ? '' : VERIFICATION_FORMATS[format](verification),
    json: verification,
    exit: isRefused(verification) ? 1 : 0,
  }
}

const VERIFICATION_FORMATS = {
  text: verificationText,
  json: (it: Verification) => JSON.stringify(it, null, 2),
  sarif: (it: Verification) => verificationSarif(it, VERSION),
  github: verificationGithub,
} as const satisfies Record<string, (it: Verification) => string>

type VerificationFormat = keyof typeof VERIFICATION_FORMATS

function formatOf(call: VerbCall): VerificationFormat {
  const format = call.options['sarif'] === true ? 'sarif' : (textOption(call, 'format') ?? 'text')
  if (Object.hasOwn(VERIFICATION_FORMATS, format)) return format as VerificationFormat
  throw new KotefError('usage', `--format takes ${Object.keys(VERIFICATION_FORMATS).join(', ')}.`)
}

async function modeOf(call: VerbCall): Promise<VerifyMode> {
  const range = firstArgument(call)
  const ways = (['staged', 'preReceive', 'ci'] as const).filter(it => call.options[it] === true)
  const [way = 'range', ...more] = ways
  if (more.length > 0 || (ways.length > 0 && range !== ''))
    throw new KotefError('usage', 'Only one of a range, --staged, --pre-receive and --ci can be verified at a time.')
  if (way === 'range') return { way, range: range || null }
  return way === 'preReceive' ? { way: 'pre-receive', lines: await textOf(process.stdin) } : { way }
}
