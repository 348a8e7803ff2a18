// The simulator compared with recordings of the real gateway: the same calls in the same circumstances.
import { describe, expect, test } from 'vitest'
import type { Version } from '#server/whatsapp/gateway/simulator/state.ts'
import { inProcess, turns } from '#tests/support/gateway.ts'
import {
  byKind,
  normalised,
  readDeliveries,
  readExchanges,
  recordingsFolder,
  type Exchange,
} from '#tests/support/gateway-recording.ts'

const folder = recordingsFolder()
const SKIPPED = folder === null ? ' (skipped: EVOLUTION_RECORDINGS names no folder of recordings)' : ''

type Scenario = ReturnType<typeof inProcess>
/** Events around the real gateway just before the exchange with that number. */
type Circumstances = Record<number, (scenario: Scenario) => void>

const CLIENT = '5511987654321'
const LID = '99887766554433'

const NEWEST: Circumstances = {
  0: ({ simulator: { control } }) => {
    control.subscriber({ number: CLIENT, isCached: true })
    control.subscriber({ number: '5511900009999', exists: false })
    control.subscriber({ number: '5511955556666', jid: '551155556666@s.whatsapp.net' })
  },
  8: ({ simulator: { control } }) => control.scan({ instance: 'eva', number: '5511900000001', name: 'Loja' }),
  22: ({ simulator: { control } }) => control.nextSend({ instance: 'eva', effect: 'timed-out-unsent' }),
  23: peopleWrite,
  30: ({ simulator: { control } }) => control.dropLink({ instance: 'eva', backAfterMs: 100 }),
  31: ({ clock }) => clock.advance(100),
  32: ({ simulator: { control } }) => control.unlink({ instance: 'eva' }),
}

function peopleWrite({ simulator: { control } }: Scenario) {
  const says = { instance: 'eva', from: CLIENT, name: 'Ana' }
  control.receive({ ...says, id: 'TXT1', addressing: 'pn+lid', lid: LID })
  control.receive({ ...says, id: 'TXT1' })
  control.receive({ ...says, id: 'EXT1', target: { id: 'TXT0', text: 'pergunta' } })
  control.receive({ ...says, id: 'LID1', text: 'via lid', addressing: 'lid+alt', lid: LID })
  control.receive({ ...says, id: 'ME1', text: 'do celular', addressing: 'lid', lid: LID, fromMe: true })
  const file = { base64: '/9j/2Q==', mimeType: 'image/jpeg' }
  control.receive({ ...says, id: 'IMG1', kind: 'image', text: 'foto', file })
  control.receive({ ...says, kind: 'reaction', text: '👍', target: { id: 'X' } })
  for (const kind of ['voice', 'document', 'contact', 'location', 'sticker'] as const)
    control.receive({ ...says, kind })
  control.receive({ ...says, id: 'EPH1', kind: 'ephemeral', text: 'temporária' })
  control.edit({ instance: 'eva', id: 'TXT1', text: 'Olá (editado)' })
  control.revoke({ instance: 'eva', id: 'EXT1' })
}

const FAILURES: Circumstances = {
  3: ({ simulator: { control } }) => control.scan({ instance: 'bia', number: '5511900000002', name: 'Loja' }),
  5: ({ clock }) => clock.advance(1_000),
}

describe.skipIf(folder === null)(`the simulator does as the real gateway did${SKIPPED}`, () => {
  test.each([
    ['2.3.7', 'evolution-2.3.7-http.txt', NEWEST, 41],
    ['2.3.6', 'evolution-2.3.6-failures-http.txt', FAILURES, 8],
  ] as const)('answers of %s', async (...[version, name, circumstances, count]) => {
    const exchanges = readExchanges(folder ?? '', name)
    expect(exchanges).toHaveLength(count)
    const { answers } = await replay(version, exchanges, circumstances)
    for (const [index, exchange] of exchanges.entries()) {
      const label = `${index}: ${exchange.method} ${exchange.path} ${exchange.body}`
      const expected = normalised(exchange.answer)
      expect(answers[index]?.status, label).toBe(exchange.status)
      // Only part of a truncated answer is known.
      const shown = normalised(answers[index]?.answer)
      expect(shown, label).toEqual(exchange.isCut ? part(expected) : expected)
    }
  })

  test('webhooks of 2.3.7, kind by kind', async () => {
    const recorded = byKind(readDeliveries(folder ?? '', 'evolution-2.3.7-webhooks.jsonl'))
    const exchanges = readExchanges(folder ?? '', 'evolution-2.3.7-http.txt')
    const { scenario } = await replay('2.3.7', exchanges, NEWEST)
    await scenario.clock.until(scenario.webhooks.first('remove.instance'))
    const simulated = byKind(scenario.webhooks.all.map(({ body }) => body))
    expect(new Set(simulated.keys())).toEqual(new Set(recorded.keys()))
    for (const [kind, shape] of recorded) expect(simulated.get(kind), kind).toEqual(shape)
  })
})

async function replay(version: Version, exchanges: readonly Exchange[], circumstances: Circumstances) {
  const scenario = inProcess({ version })
  const answers: { status: number; answer: unknown }[] = []
  for (const [index, exchange] of exchanges.entries()) {
    circumstances[index]?.(scenario)
    await turns()
    answers.push(await ask(scenario, exchange))
  }
  return { scenario, answers }
}

function part(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(part)
  if (typeof value !== 'object' || value === null) return value
  return expect.objectContaining(
    Object.fromEntries(Object.entries(value).map(([key, item]) => [key, part(item)])),
  )
}

async function ask({ simulator, clock }: Scenario, { method, path, body }: Exchange) {
  const headers = { apikey: simulator.apiKey, 'content-type': 'application/json' }
  const response = await clock.until(simulator.fetch(`http://gateway.test${path}`, { method, headers, body }))
  const answer: unknown = await response.json()
  return { status: response.status, answer }
}
