// A lead writes four messages at typing speed while the model works: how many of a thousand bursts get two answers.
// Speed and model are random, not measured: pauses of 2.5 s in the median, one in seven hundred over 11 s; a model of 1
// to 6 s.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTalk, type Talk } from '#tests/support/agent-dialogue.ts'
import { openBase } from '#tests/support/database.ts'
import { byTier, onBest } from '#tests/support/runner/tier.ts'

const BURSTS = byTier(8, onBest(1_000, 200))
const BUBBLES = 4

const base = await openBase()
const { db } = base
let talk: Talk
beforeAll(async () => {
  talk = await openTalk(db)
  // The test plans the turn, at its own times.
  await db.exec('alter table public.whatsapp_messages disable trigger plan_turn')
})
afterAll(() => talk.close())

let seed = 11
function draw(): number {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return (seed + 0.5) / 2 ** 32
}
/** Milliseconds between two messages: log-normal. */
const pause = () => 2_500 * Math.exp(0.5 * Math.sqrt(-2 * Math.log(draw())) * Math.cos(2 * Math.PI * draw()))
const thinking = () => 1_000 + Math.round(5_000 * draw())

const START_MS = Date.now()
const at = (ms: number) => new Date(START_MS + ms).toISOString()
const claimer = randomUUID()

/** One burst; times are milliseconds since its first message. */
async function burst() {
  const lead = await talk.lead()
  let writesAt = 0
  const bubbles = Array.from({ length: BUBBLES }, (_, index) => {
    if (index > 0) writesAt += Math.round(pause())
    return writesAt
  })
  let now = 0
  const write = async () => {
    now = bubbles.shift() ?? now
    await talk.says(lead, `Bolha ${bubbles.length}`)
    await db.query('select portal.plan_answer($1, $2)', [lead, at(now)])
  }
  const dueAt = async () => {
    const { rows } = await db.query<{ due: number }>(
      `select ceil(extract(epoch from due_at) * 1000)::float8 as due from portal.agent_turns
       where contact_id = $1 and state = 'waiting'`,
      [lead],
    )
    return rows[0] ? rows[0].due - START_MS : null
  }
  await write()
  for (let due = await dueAt(); due !== null || bubbles.length > 0; due = await dueAt()) {
    if (due === null || (bubbles[0] ?? Infinity) < due) {
      await write()
      continue
    }
    now = due
    const { rows } = await db.query<{ turn: { turnId: number } | null }>(
      'select portal.claim_turn($1, $2) as turn',
      [claimer, at(now)],
    )
    const turn = rows[0]!.turn!
    const readyAt = now + thinking()
    // Messages during the model's work are written before it is ready.
    while ((bubbles[0] ?? Infinity) < readyAt) await write()
    now = readyAt
    await db.query(`select portal.settle_answer($1, $2, $3, 'sent', null, $4, '[]')`, [
      turn.turnId,
      claimer,
      at(now),
      `Sou o assistente. Resposta ${randomUUID()}.`,
    ])
  }
  return (await talk.answers(lead)).length
}

test(
  `of ${BURSTS} bursts of four messages each gets an answer, and at most one in a hundred gets two`,
  async () => {
    const answers: number[] = []
    for (let made = 0; made < BURSTS; made++) answers.push(await burst())
    expect(Math.min(...answers)).toBe(1)
    expect(Math.max(...answers)).toBeLessThanOrEqual(2)
    expect(answers.filter((count) => count > 1).length).toBeLessThanOrEqual(Math.ceil(BURSTS / 100))
    const { rows } = await db.query('select from portal.agent_turns where ended_at is null')
    expect(rows).toEqual([])
  },
  60_000 + BURSTS * 300,
)
