// An agent asked for a price over a hundred dated changes of the record: it says the price of that day, or calls a person.
import { expect, test } from 'vitest'
import { openTalks } from '#tests/support/agent-talks.ts'
import { amountsIn } from '#domain/agent/words.ts'
import { makeDevelopment } from '#tests/support/make.ts'

const CHANGES = 100
const { db, nextTalk } = await openTalks()

test('every answer states the price of the day, and a person is called where there is none', async () => {
  const talk = await nextTalk()
  const { id } = await makeDevelopment(db, { name: 'Mirante' })
  let last = 25_000_000
  const said = { right: 0, called: 0 }
  for (let turn = 0; turn < CHANGES; turn++) {
    const cents = 30_000_000 + turn * 791_900
    const isValid = turn % 4 !== 3
    await db.query(
      `update public.development_plans set price_from_cents = $2, priced_on = (now() at time zone portal.time_zone())::date,
         valid_until = (now() at time zone portal.time_zone())::date + $3::integer where development_id = $1`,
      [id, cents, isValid ? 5 : -1],
    )
    // Every third time the model repeats the price from before the change.
    const claimed = turn % 3 === 2 ? last : cents
    const text = `A partir de R$ ${(claimed / 100).toLocaleString('pt-BR')}.`
    const isRight = isValid && claimed === cents
    // A refused answer is written once more.
    talk.model.plan(...(isRight ? [{ text }] : [{ text }, { text }]))
    const lead = await talk.lead()
    await talk.says(lead, 'Quanto custa?')
    await talk.pass(9)
    if (!isRight) await talk.pass(9)
    const amounts = (await talk.answers(lead)).flatMap(amountsIn)
    expect(amounts, `change ${turn}`).toEqual(isRight ? [cents / 100] : [])
    if (isRight) said.right++
    else {
      expect(await talk.cases(lead), `change ${turn}`).toEqual(['waiting'])
      expect((await talk.turns(lead)).map(({ reason }) => reason)).toEqual(['price', 'price'])
      said.called++
    }
    last = cents
  }
  expect(said).toEqual({ right: 50, called: 50 })
})
