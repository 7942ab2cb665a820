import { answerParserQuestion } from '../../world/code/meaning/parser-answer.ts'
import { answerCaller } from './answer-caller.ts'

// The program in which texts are parsed.
answerCaller(answerParserQuestion)
