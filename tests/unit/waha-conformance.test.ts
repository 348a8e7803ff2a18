// The simulator compared with recordings of the real WAHA: the same calls in the same circumstances.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { turns, wahaInProcess } from '#tests/support/gateway.ts'
import { recordingsFolder } from '#tests/support/gateway-recording.ts'

const folder = recordingsFolder()
const SKIPPED = folder === null ? ' (skipped: EVOLUTION_RECORDINGS names no folder of recordings)' : ''

type Scenario = ReturnType<typeof wahaInProcess>
type Exchange = {
  method: string
  path: string
  body: string
  status: number
  answer: unknown
  isWhole: boolean
}

/** Calls that the portal never makes, and a restart of the server. */
const UNUSED =
  /health|environment|server\/status|\/api\/version|\/me$|overview|\/chats\?|\/api\/messages|sendSeen|lids($|\/pn|\/count)|contacts(\/all|\?|\/profile)|messages\/read|new-message-id|\+?%2B55/
const LEFT_OUT = [17, 18, 36, 76, 144, 152, 170, 173, 193, 206, 207, 208, 209, 211, 212]

const CLIENT = '5511987654321'
const EVA = { instance: 'eva', from: CLIENT, name: 'Cliente Ana' }
const FILE = { base64: '/9j/2Q==', mimeType: 'image/jpeg' }

function peopleWrite({ simulator: { control }, clock }: Scenario) {
  control.receive({ ...EVA, id: '3A5EA6DA47C3B366CFF2', text: 'Oi' })
  control.receive({ ...EVA, id: '3AD1E5B43C3AE53C88D4', kind: 'image', text: 'olha a foto', file: FILE })
  const gone = { imageMessage: { mimetype: 'image/png', directPath: '/v/none' } }
  control.receive({ ...EVA, id: '3A08F031A65B06EEBEF5', kind: 'raw', message: gone })
  control.receive({ ...EVA, id: '3A42267B726DEC0B9F4F', kind: 'document', file: FILE })
  control.revoke({ instance: 'eva', id: '3A42267B726DEC0B9F4F' })
  clock.advance(1_000)
  control.edit({ instance: 'eva', id: '3A5EA6DA47C3B366CFF2', text: 'editado' })
  control.receive({ ...EVA, text: 'alguém aí?' })
  control.receive({ ...EVA, addressing: 'lid', lid: '88800000001', text: 'só lid' })
}

/** What happened around the real server just before the call with that number. */
const BEFORE: Record<number, (scenario: Scenario) => unknown> = {
  30: ({ clock }) => clock.advance(500),
  40: ({ simulator: { control } }) =>
    control.scan({ instance: 'eva', number: '5511900000001', name: 'Corretor Eva' }),
  46: ({ simulator: { control } }) => {
    control.subscriber({ number: '5511999990000', exists: false })
    control.subscriber({ number: '5531987654321', jid: '553187654321@s.whatsapp.net' })
  },
  96: peopleWrite,
  141: ({ simulator: { control } }) => control.acks({ instance: 'eva', plan: 'error' }),
  143: ({ clock }) => clock.advance(1_000),
  146: ({ simulator: { control } }) => control.nextSend({ instance: 'eva', effect: 'timed-out-sent' }),
  147: ({ simulator: { control } }) => control.nextSend({ instance: 'eva', effect: 'timed-out-unsent' }),
  148: ({ simulator: { control } }) => control.nextSend({ instance: 'eva', effect: 'closed-500' }),
  149: ({ simulator: { control } }) => control.zombie({ instance: 'eva', on: true }),
  153: ({ simulator: { control } }) => control.dropLink({ instance: 'eva', backAfterMs: null }),
  157: async ({ simulator: { control }, clock }) => {
    clock.advance(500)
    await turns()
    control.reachQrLimit({ instance: 'bia' })
  },
  161: ({ clock }) => clock.advance(500),
  163: async ({ simulator: { control }, clock }) => {
    clock.advance(500)
    await turns()
    control.scan({ instance: 'bia', number: '5511900000007', name: 'Bia' })
  },
  167: async ({ simulator: { control }, clock }) => {
    clock.advance(500)
    await turns()
    control.unlink({ instance: 'bia' })
  },
  172: ({ clock }) => clock.advance(500),
  187: ({ clock }) => clock.advance(200_000),
  201: async ({ simulator: { control }, clock }) => {
    clock.advance(500)
    await turns()
    control.scan({ instance: 'caio', number: '5511900000003', name: 'Caio' })
  },
}

function readExchanges(name: string): Exchange[] {
  const text = readFileSync(path.join(folder ?? '', name), 'utf8')
  return [...text.matchAll(/^### (\S+) (\S+) ?(.*)\n-> (\d+) \(\d+ ms\) ?(.*)$/gm)].map((match) => {
    const [, method = '', url = '', body = '', status = '', answer = ''] = match
    const whole = parsed(answer)
    return { method, path: url, body, status: Number(status), answer: whole, isWhole: whole !== undefined }
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A recorded send is repeated with the id that it had, so that later calls find the message. */
function bodyOf({ method, body, answer }: Exchange): string | undefined {
  if (method === 'GET' || body === '' || body.startsWith('[')) return undefined
  const whole = body.replace(/"(<base64>|data:).*$/, '"AAAA"}}')
  const { key } = (answer ?? {}) as { key?: { id?: string } }
  const sent = parsed(whole)
  return key?.id !== undefined && typeof sent === 'object' ? JSON.stringify({ id: key.id, ...sent }) : whole
}

/** Fields that are not compared, because they differ in every run or the portal does not use them. */
const NOT_COMPARED =
  /^(config|engine|assignedWorker|presence|timestamps|timestamp|stack|error|jpegThumbnail|waveform|contextInfo|reactions|pushName|pushname|replyTo|media|location|vCards|version|data|isBoom|isServer|output|query|request)$/

function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf)
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value
  return expect.objectContaining(
    Object.fromEntries(
      Object.entries(value)
        .filter(([name]) => !NOT_COMPARED.test(name))
        .map(([name, item]) => [
          name,
          name === 'message' || name === 'body' ? expect.anything() : shapeOf(item),
        ]),
    ),
  )
}

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(plain)
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, plain(item)]))
}

describe.skipIf(folder === null)(`the simulator does as the real WAHA did${SKIPPED}`, () => {
  test('answers, call by call', async () => {
    const exchanges = readExchanges('waha-2026.2.1-http.txt')
    expect(exchanges).toHaveLength(215)
    const scenario = wahaInProcess({ version: '2026.2.1' })
    let compared = 0
    for (const [index, exchange] of exchanges.entries()) {
      await BEFORE[index]?.(scenario)
      if (UNUSED.test(exchange.path) || LEFT_OUT.includes(index)) continue
      await turns()
      const { status, answer } = await ask(scenario, exchange)
      const label = `${index}: ${exchange.method} ${exchange.path} ${exchange.body.slice(0, 100)}`
      expect(status, label).toBe(exchange.status)
      if (exchange.isWhole) expect(plain(answer), label).toEqual(shapeOf(exchange.answer))
      compared += 1
    }
    expect(compared).toBeGreaterThan(150)
  })
})

async function ask({ simulator, clock }: Scenario, exchange: Exchange) {
  const { method, path: url, body } = exchange
  const key = body.includes('no key') ? '' : body.includes('wrong key') ? 'x' : simulator.apiKey
  const sent = bodyOf(exchange)
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const response = await clock.until(
    simulator.fetch(`http://waha.test${url}`, {
      method,
      headers,
      ...(sent === undefined ? {} : { body: sent }),
    }),
  )
  const text = await response.text()
  return { status: response.status, answer: parsed(text) }
}
