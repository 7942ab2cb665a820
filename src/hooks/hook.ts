import { writeSync } from 'node:fs'
import { harmless } from '../report/printable.ts'
import { judgeHook } from './judge-hook.ts'

const [hook = '', ...args] = process.argv.slice(2)
const { exit, text } = judgeHook(hook, args)
// Node's own streams take a moment to set up.
if (text !== '') writeSync(2, `${harmless(text)}\n`)
// Exit codes that no broken or emptied script has; the shell script around this turns them into 0 and 1.
process.exitCode = exit === 0 ? 87 : 88
