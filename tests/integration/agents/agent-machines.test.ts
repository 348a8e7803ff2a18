// Random conversations of people and machines with an agent: at most six answers to a machine, none without a message.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTalk, type Talk } from '#tests/support/agent-dialogue.ts'
import { openBase } from '#tests/support/database.ts'
import type { Answer } from '#tests/support/model-server.ts'
import { byTier, onBest, isDeepRun } from '#tests/support/runner/tier.ts'

/** `PROPERTY_RUNS=2000` runs that many conversations. */
const CONVERSATIONS = Number(process.env['PROPERTY_RUNS'] ?? byTier(6, onBest(400, 100)))

/** A fixed seed; `PROPERTY_SEED` chooses another. */
let seed = Number(process.env['PROPERTY_SEED'] ?? 7)
function draw(most: number): number {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((seed / 2 ** 32) * most)
}
const one = <T>(choices: readonly T[]): T => choices[draw(choices.length)]!

const base = await openBase()
const { db } = base
let talk: Talk
beforeAll(async () => {
  talk = await openTalk(db, scripted)
})
afterAll(() => talk.close())

let words = 0
const inLetters = (count: number) => String(count).replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)]!)
function scripted(): Answer {
  if (draw(6) === 0) return { calls: [{ name: 'nada_a_dizer', args: { reason: 'nada a acrescentar' } }] }
  return { text: `Sou o assistente. Pergunta ${inLetters(++words)}?` }
}

const NOTE_KINDS = ['unsupported', 'call', 'note']
const ANSWERS = [
  'sim',
  'Ok',
  'Pode ser',
  'Obrigada!',
  '👍',
  'Quantos quartos tem?',
  'E a vaga?',
  'Prefiro de manhã',
]
/** A machine's next text, by its kind. */
const MACHINES: readonly ((at: number) => string)[] = [
  () => 'Agradecemos sua mensagem. Não estamos disponíveis no momento, mas responderemos assim que possível.',
  (at) => `Digite ${at % 9} para falar com o financeiro`,
  () => 'Central de pedidos',
  (at) => `Seu pedido de número ${10_000 + at * 37} foi recebido pela loja e está em separação.`,
  // Another text each time, like another model's, without a mark.
  (at) => `Entendi o que você disse sobre ${inLetters(at * 7_919 + draw(1_000))}, continue`,
]
let ids = 0
const lineOf = async (lead: number, text: string, columns = {}) => {
  await talk.says(lead, text, { message_id: `M${++ids}`, ...columns })
}

async function live(isMachine: boolean) {
  const lead = await talk.lead()
  const machine = one(MACHINES)
  const length = 8 + draw(8)
  for (let at = 0; at < length; at++) {
    if (draw(5) === 0) await lineOf(lead, 'nota', { kind: one(NOTE_KINDS) })
    if (isMachine) await lineOf(lead, machine(at))
    else if (draw(3) > 0) await lineOf(lead, `${one(ANSWERS)} ${draw(2) === 0 ? inLetters(++words) : ''}`)
    await talk.pass(9)
    if (!isMachine && draw(12) === 0) await talk.human(lead)
  }
  return lead
}

test.runIf(isDeepRun)(
  `${CONVERSATIONS} conversations: at most six answers to a machine, none to a note`,
  { timeout: 3_000_000 },
  async () => {
    for (let lived = 0; lived < CONVERSATIONS; lived++) {
      const isMachine = lived % 2 === 0
      const lead = await live(isMachine)
      if (isMachine) expect((await talk.answers(lead)).length).toBeLessThanOrEqual(6)
    }
    const { rows } = await db.query(
      `select t.id from portal.agent_turns t join whatsapp_messages m on m.id = t.base_message
       where m.kind = any ($1::text[]) or t.state = 'silent' and t.message_id is not null`,
      [`{${NOTE_KINDS.join(',')}}`],
    )
    expect(rows).toEqual([])
    // No turn has only notes: each has a message that no other turn answered.
    const twice = await db.query(
      `select base_message from portal.agent_turns where state = 'sent' group by 1 having count(*) > 1`,
    )
    expect(twice.rows).toEqual([])
    const ends = await db.query<{ reason: string }>(
      `select distinct reason from portal.agent_turns where state in ('silent', 'refused')`,
    )
    expect(ends.rows.map(({ reason }) => reason)).toEqual(
      expect.arrayContaining(['automatic', 'nada a acrescentar']),
    )
  },
)
