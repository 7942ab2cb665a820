import { answerParserQuestion, type ParserQuestion } from '../meaning/parser-answer.ts'

// The program in which texts are parsed. It answers one question after the other, and ends with its caller.
process.on('message', (question: ParserQuestion) => {
  void answerParserQuestion(question).then(
    answer => process.send?.(answer),
    () => process.exit(1),
  )
})
process.on('disconnect', () => process.exit(0))
