import { text as textOf } from 'node:stream/consumers'
import { KotefError } from '../report/failure.ts'
import { isRefused, type Verification } from '../report/verification.ts'
import { VERSION } from '../package.ts'
import { verificationGithub } from '../report/verification-github.ts'
import { verificationSarif } from '../report/verification-sarif.ts'
import { verificationText } from '../report/verification-text.ts'
import type { Answer } from '../report/answer.ts'
import { verifyHere, type WayToVerify } from '../verify/verify-here.ts'
import { openRepository } from '../workspace/workspace.ts'
import { firstArgument, textOption } from './options.ts'
import type { Call, Run } from './verb.ts'

/** `kotef verify`: the last word on a stretch of history, by the policy from before it. */
export const run: Run = async call => {
  const format = formatOf(call)
  const way = await wayOf(call)
  const verification = await verifyHere(await openRepository(call.cwd), {
    way,
    env: call.env,
    allowEmpty: call.options['allowEmpty'] === true,
    requireTrace: call.options['requireTrace'] === true,
    runChecks: call.options['runChecks'] === true,
    running: command => call.tell(`$ ${command}`),
  })
  return answerOf(verification, { format, way })
}

// Hooks are silent when all is fine.
function answerOf(verification: Verification, { format, way }: { format: Format; way: WayToVerify }): Answer {
  const isSilent = format === 'text' && way.way === 'pre-receive' && verification.findings.length === 0
  return {
    text: isSilent ? '' : FORMATS[format](verification),
    json: verification,
    exit: isRefused(verification) ? 1 : 0,
  }
}

const FORMATS = {
  text: verificationText,
  json: (it: Verification) => JSON.stringify(it, null, 2),
  sarif: (it: Verification) => verificationSarif(it, VERSION),
  github: verificationGithub,
} as const satisfies Record<string, (it: Verification) => string>

type Format = keyof typeof FORMATS

function formatOf(call: Call): Format {
  const format = call.options['sarif'] === true ? 'sarif' : (textOption(call, 'format') ?? 'text')
  if (Object.hasOwn(FORMATS, format)) return format as Format
  throw new KotefError('usage', `--format takes ${Object.keys(FORMATS).join(', ')}.`)
}

async function wayOf(call: Call): Promise<WayToVerify> {
  const range = firstArgument(call)
  const ways = (['staged', 'preReceive', 'ci'] as const).filter(it => call.options[it] === true)
  const [way = 'range', ...more] = ways
  if (more.length > 0 || (ways.length > 0 && range !== ''))
    throw new KotefError('usage', 'Only one of a range, --staged, --pre-receive and --ci can be verified at a time.')
  if (way === 'range') return { way, range: range || null }
  return way === 'preReceive' ? { way: 'pre-receive', lines: await textOf(process.stdin) } : { way }
}
