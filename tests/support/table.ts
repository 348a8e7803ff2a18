// A table of cases: one test a row.
import { expect, test } from 'vitest'

/** `answerOf` answers the second value of a row to its first. The title may show both: `'%s is %s'`. */
export function table<Given, Answer>(
  title: string,
  answerOf: (given: Given) => Answer,
  rows: readonly (readonly [given: Given, answer: NoInfer<Answer>])[],
): void {
  // oxlint-disable-next-line vitest/valid-title -- the caller gives it
  test.each(rows)(title, (given, answer) => expect(answerOf(given)).toEqual(answer))
}
