import { Worker } from 'node:worker_threads'
import { answerParserQuestion, type ParserQuestion } from '../meaning/parser-answer.ts'

// The program in which texts are parsed. It answers one question after the other, and ends with its caller.
process.on('message', (question: ParserQuestion) => {
  void answerParserQuestion(question).then(
    answer => process.send?.(answer),
    () => process.exit(1),
  )
})
process.on('disconnect', () => process.exit(0))

// A text may keep this thread busy for ever, and then it does not notice the end of its caller. Another thread does.
const watch = `setInterval(() => process.ppid === ${process.ppid} || process.kill(${process.pid}, 'SIGKILL'), 500)`
new Worker(watch, { eval: true }).unref()
