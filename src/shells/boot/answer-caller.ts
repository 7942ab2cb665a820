import { Worker } from 'node:worker_threads'

/** Makes this process one that answers the questions of its caller, one after the other, and ends with it. */
export function answerCaller<Question, Answer extends object | null>(
  answer: (question: Question) => Promise<Answer>,
): void {
  process.on('message', (question: Question) => {
    void answer(question).then(
      it => process.send?.(it),
      () => process.exit(1),
    )
  })
  process.on('disconnect', () => process.exit(0))
  // Work may keep this thread busy for long, and then it does not notice the end of its caller. Another thread does.
  const watch = `setInterval(() => process.ppid === ${process.ppid} || process.kill(${process.pid}, 'SIGKILL'), 500)`
  new Worker(watch, { eval: true }).unref()
}
