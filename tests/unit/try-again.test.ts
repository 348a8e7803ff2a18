// Work undone by a deadlock is retried, after the other transaction.
import { expect, test } from 'vitest'
import { SqlError } from '#server/db/database.ts'
import { tryAgain } from '#server/db/try-again.ts'

const refusal = (code: string) => new SqlError({ message: code, code })

async function run(refusals: readonly Error[], codes?: readonly string[]) {
  const steps: string[] = []
  const left = [...refusals]
  const work = () => {
    steps.push('work')
    const error = left.shift()
    return error ? Promise.reject(error) : Promise.resolve('done')
  }
  const pause = () => {
    steps.push('pause')
    return Promise.resolve()
  }
  const options = codes ? { codes, pause } : { pause }
  const outcome = await tryAgain(work, options).catch((error: unknown) => error)
  return { outcome, steps: steps.join(' ') }
}

const deadlock = refusal('40P01')

test.each([
  ['never refused', [], 'work'],
  ['once', [deadlock], 'work pause work'],
  ['three times', [deadlock, deadlock, deadlock], 'work pause work pause work pause work'],
])('%s: it succeeds', async (_, refusals, steps) => {
  expect(await run(refusals)).toEqual({ outcome: 'done', steps })
})

test('the fourth failure is reported', async () => {
  expect(await run([deadlock, deadlock, deadlock, deadlock])).toEqual({
    outcome: deadlock,
    steps: 'work pause work pause work pause work',
  })
})

test.each([refusal('40001'), refusal('23505'), new Error('40P01')])(
  '%s is reported at once',
  async (error) => {
    expect(await run([error])).toEqual({ outcome: error, steps: 'work' })
  },
)

test('other errors are retried where allowed', async () => {
  expect(await run([refusal('23505')], ['23505'])).toEqual({ outcome: 'done', steps: 'work pause work' })
  expect(await run([deadlock], ['23505'])).toEqual({ outcome: deadlock, steps: 'work' })
})
