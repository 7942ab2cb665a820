import { judgeHook } from './judge-hook.ts'

const [hook = '', ...args] = process.argv.slice(2)
const { exit, text } = judgeHook(hook, args)
if (text !== '') process.stderr.write(`${text}\n`)
process.exitCode = exit
