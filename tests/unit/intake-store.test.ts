// Adding a lead while its person is merged, deleted or locked: retried a limited number of times.
import { expect, test } from 'vitest'
import { SqlError, type Database } from '#server/db/database.ts'
import { createIntakeStore } from '#server/leads/intake/intake-store.ts'
import { createMetaSecretBox } from '#server/leads/intake/meta/secrets.ts'
import { FORM_LEAD } from '#tests/support/form-lead.ts'

const LEAD = { ...FORM_LEAD, name: 'Marina' }
const TAKEN = { id: 1, isRepeat: false }

function storeThatRefuses(codes: readonly string[]) {
  let asked = 0
  const query = () => {
    const code = codes[asked++]
    return code === undefined
      ? Promise.resolve({ rows: [{ taken: TAKEN }], rowCount: 1 })
      : Promise.reject(new SqlError({ message: code, code }))
  }
  const store = createIntakeStore(
    { query } as unknown as Database,
    createMetaSecretBox('a secret of the tests'),
  )
  return {
    take: () => store.takeLeadgen('key', { lead: LEAD, told: { leadgenId: '1', value: {} } }, 0),
    asked: () => asked,
  }
}

test.each(['23505', '23503'])('%s: it is added at the second attempt', async (code) => {
  const { take, asked } = storeThatRefuses([code])
  expect(await take()).toEqual(TAKEN)
  expect(asked()).toBe(2)
})

test.each([[['23503', '23505', '23503', '23505']], [['22023']]])(
  '%s: the error is reported',
  async (codes) => {
    const { take, asked } = storeThatRefuses(codes)
    await expect(take()).rejects.toMatchObject({ code: codes.at(-1) })
    expect(asked()).toBe(codes.length)
  },
)
