// A voice message is transcribed before the agent answers; if that fails the agent says so.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTalk, type Talk } from '#tests/support/agent-dialogue.ts'
import { openBase } from '#tests/support/database.ts'
import { eventually } from '#tests/support/eventually.ts'

const base = await openBase()
const { db } = base
let talk: Talk
/** The transcript of each voice message; null: it fails. */
let said: (string | null)[] = []
let isEndless = false
let asked: number[] = []
const hear = async (messageId: number) => {
  asked.push(messageId)
  const words = said.shift() ?? null
  if (isEndless) return new Promise<boolean>(() => undefined)
  if (words === null) return false
  await db.query(`select portal.keep_transcript($1, $2, 'lago-ouve', 3)`, [messageId, words])
  return true
}
beforeAll(async () => {
  talk = await openTalk(db, () => ({ text: 'Sou o assistente. É para morar?' }), {
    canTranscribe: true,
    hear,
  })
})
beforeEach(() => {
  said = []
  isEndless = false
  asked = []
  talk.model.asked.splice(0)
})
afterAll(() => talk.close())
const speaks = (lead: number) => talk.says(lead, '', { kind: 'audio' })
const read = () => talk.model.asked[0]!.body.messages.slice(1).map(({ content }) => content)

test('the model reads the transcript, made once per voice message', async () => {
  const lead = await talk.lead()
  said = ['Quero três quartos', 'com duas vagas']
  const voices = [await speaks(lead), await speaks(lead)]
  await talk.pass(9)
  expect(new Set(asked)).toEqual(new Set(voices.map(({ id }) => id)))
  expect(read()).toEqual(['<lead>Quero três quartos</lead>', '<lead>com duas vagas</lead>'])
  expect(await talk.turns(lead)).toMatchObject([{ state: 'sent' }])
  await talk.says(lead, 'E a entrega?')
  talk.model.plan({ text: 'Sou o assistente. O corretor confirma.' })
  await talk.pass(9)
  expect(asked).toHaveLength(2)
})

test('a spoken request for a person is recognised without the model', async () => {
  const lead = await talk.lead()
  said = ['Quero falar com um corretor']
  await speaks(lead)
  await talk.pass(9)
  expect(await talk.turns(lead)).toMatchObject([{ state: 'sent', reason: 'person' }])
  expect(talk.model.asked).toEqual([])
})

test('for an unreadable voice message the agent asks for text, and the second time a broker is called', async () => {
  const lead = await talk.lead()
  await speaks(lead)
  await talk.pass(9)
  expect(await talk.turns(lead)).toMatchObject([{ state: 'sent', reason: 'unheard' }])
  await speaks(lead)
  await talk.pass(9)
  expect(await talk.answers(lead)).toEqual([
    'Sou o assistente da equipe do Mirante. Não consegui ouvir o seu áudio. Pode me escrever, por favor?',
    'Também não consegui ouvir este áudio. Vou chamar um corretor para falar com você por aqui.',
  ])
  expect(await talk.cases(lead)).toEqual(['waiting'])
  expect(talk.model.asked).toEqual([])
})

test('beside text the model is told of an unreadable voice message, which is awaited for 45 seconds at most', async () => {
  const lead = await talk.lead()
  await talk.says(lead, 'Olha o áudio')
  isEndless = true
  await speaks(lead)
  const worker = talk.another()
  talk.clock.advance(9_000)
  worker.wake()
  await eventually(() => expect(asked).toHaveLength(1))
  talk.clock.advance(45_000)
  await worker.settled()
  expect(read()).toEqual([
    '<lead>Olha o áudio</lead>',
    '<lead>(mensagem de voz que não foi possível ouvir: diga isso e peça por escrito)</lead>',
  ])
  expect(await talk.turns(lead)).toMatchObject([{ state: 'sent' }])
})
