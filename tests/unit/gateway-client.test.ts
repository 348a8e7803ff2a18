// The client's requests, and its behaviour on bad answers.
import { describe, expect, test } from 'vitest'
import { createEvolutionGateway } from '#server/whatsapp/gateway/evolution/client.ts'
import { createLog } from '#server/log.ts'
import { freePort } from '#tests/support/free-port.mjs'
import { steppingClock, silentLog, turns, WEBHOOK } from '#tests/support/gateway.ts'

const KEY = 'chave-muito-secreta'
const SENT = {
  key: { id: '3EB0AA', remoteJid: '5511955500142@s.whatsapp.net' },
  messageTimestamp: { low: 1_795_250_928, high: 0 },
}
type Asked = { url: string; method: string; headers: Headers; body: unknown }
type Answer = { status?: number; body?: unknown } | 'silence' | Error

/** A scripted gateway; `asked` omits version checks. */
function scripted(answer: (asked: Asked) => Answer, { version = '2.3.7' }: { version?: unknown } = {}) {
  const clock = steppingClock()
  const asked: Asked[] = []
  const lines: string[] = []
  const versions = { count: 0 }
  const gateway = createEvolutionGateway({
    baseUrl: 'http://gateway.test/evo/',
    apiKey: KEY,
    clock,
    log: createLog('debug', (line) => lines.push(line)),
    fetch: async (url, init) => {
      if (url.endsWith('/evo/')) {
        versions.count += 1
        return Response.json({ status: 200, version })
      }
      const { method = '', headers, body, signal } = init
      const one = {
        url,
        method,
        headers: new Headers(headers),
        body: typeof body === 'string' ? JSON.parse(body) : undefined,
      }
      asked.push(one)
      const said = answer(one)
      if (said instanceof Error) throw said
      if (said !== 'silence') return new Response(textOf(said.body), { status: said.status ?? 200 })
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted'))))
    },
  })
  return { gateway, clock, asked, lines, versions }
}

const textOf = (body: unknown) => (typeof body === 'string' ? body : JSON.stringify(body))
const fault = (name: string) => expect.objectContaining({ name: 'GatewayError', fault: name })
const connectionFault = (code: string) =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) })
const text = { number: '5511955500142', text: 'Oi', delayMs: 1_200 }

describe('bodies', () => {
  test('a text has its delay where v2 reads it and where the specification puts it', async () => {
    const { gateway, asked } = scripted(() => ({ status: 201, body: SENT }))
    expect(await gateway.sendText('corretor_ana', text)).toEqual({
      messageId: '3EB0AA',
      jid: '5511955500142@s.whatsapp.net',
      sentAtSeconds: 1_795_250_928,
    })
    expect(asked[0]).toMatchObject({
      method: 'POST',
      url: 'http://gateway.test/evo/message/sendText/corretor_ana',
      body: {
        number: '5511955500142',
        text: 'Oi',
        delay: 1200,
        linkPreview: true,
        options: { delay: 1200, presence: 'composing', linkPreview: true },
      },
    })
    expect(asked[0]?.headers.get('apikey')).toBe(KEY)
  })

  test('a file goes with its name and type', async () => {
    const { gateway, asked } = scripted(() => ({ status: 201, body: SENT }))
    const file = { fileName: 'planta.pdf', mimeType: 'application/pdf', caption: '' }
    const media = { kind: 'document', base64: 'AAAA', ...file } as const
    await gateway.sendMedia('corretor_ana', { number: text.number, media, delayMs: 0 })
    expect(asked[0]?.body).toEqual({
      number: text.number,
      options: { presence: 'composing' },
      mediatype: 'document',
      media: 'AAAA',
      fileName: 'planta.pdf',
      mimetype: 'application/pdf',
    })
  })

  test('a new instance gets webhook and settings at once', async () => {
    const instance = { instanceId: 'id', instanceName: 'corretor_ana', status: 'close' }
    const { gateway, asked } = scripted(() => ({ status: 201, body: { instance, hash: 'T' } }))
    await gateway.createInstance({ instanceName: 'corretor_ana', token: 'T', webhook: WEBHOOK })
    expect(asked[0]?.body).toMatchObject({
      instanceName: 'corretor_ana',
      integration: 'WHATSAPP-BAILEYS',
      token: 'T',
      groupsIgnore: true,
      webhook: { url: WEBHOOK.url, enabled: true, base64: true, byEvents: false, webhookBase64: true },
    })
  })

  test('both addresses are requested, with page, size and times', async () => {
    const messages = { total: 0, pages: 0, currentPage: 1, records: [] }
    const { gateway, asked } = scripted(() => ({ body: { messages } }))
    const between = { fromSeconds: 0, toSeconds: 60 }
    await gateway.findMessages('corretor_ana', { jid: '5@lid', between, page: 2, pageSize: 30 })
    const messageTimestamp = { gte: '1970-01-01T00:00:00.000Z', lte: '1970-01-01T00:01:00.000Z' }
    expect(asked.map(({ body }) => body)).toEqual([
      { where: { key: { remoteJid: '5@lid' }, messageTimestamp }, page: 2, offset: 30 },
      { where: { key: { remoteJidAlt: '5@lid' }, messageTimestamp }, page: 2, offset: 30 },
    ])
  })
})

describe('answers', () => {
  test('an invalid record hides no other', async () => {
    const good = { key: { id: 'A' }, messageTimestamp: '1795250928', extra: true }
    const records = [null, { key: {} }, { key: { id: 'B' }, messageTimestamp: 'x' }, good]
    const { gateway } = scripted(() => ({ body: { messages: { pages: 1, currentPage: 1, records } } }))
    const found = await gateway.findMessages('corretor_ana', { jid: '5@lid', page: 1, pageSize: 9 })
    expect(found.records).toEqual([{ ...good, messageTimestamp: 1_795_250_928 }])
  })

  test('a webhook that was stored differently means another dialect', async () => {
    const stored = { url: WEBHOOK.url, enabled: true, webhookBase64: false }
    const { gateway } = scripted(() => ({ status: 201, body: stored }))
    await expect(gateway.setWebhook('corretor_ana', WEBHOOK)).rejects.toEqual(fault('unsupported'))
  })

  test('a code without its prefix gets one', async () => {
    const { gateway } = scripted(() => ({
      body: { base64: 'iVBOR', code: '2@x', pairingCode: null, count: 3 },
    }))
    expect(await gateway.connect('corretor_ana')).toEqual({
      kind: 'code',
      qrImage: 'data:image/png;base64,iVBOR',
      qrText: '2@x',
      pairingCode: null,
      count: 3,
    })
  })

  test.each([{}, [], 'texto', { key: {} }, { key: { id: '', remoteJid: 'x@y' }, messageTimestamp: 1 }])(
    'a 201 with %j may have been sent',
    async (body) => {
      const { gateway } = scripted(() => ({ status: 201, body }))
      await expect(gateway.sendText('corretor_ana', text)).rejects.toEqual(fault('unknown-outcome'))
    },
  )

  test("a connect that failed with 200 is a failure, without the gateway's text", async () => {
    const { gateway } = scripted(() => ({ body: { error: true, message: 'TypeError: boom' } }))
    const connecting = gateway.connect('corretor_ana')
    await expect(connecting).rejects.toEqual(fault('failed'))
    await expect(connecting).rejects.not.toThrow(/TypeError/)
  })
})

describe('timeouts and silence', () => {
  test('a send waits for its delay and a minute, then its result is unknown', async () => {
    const { gateway, clock } = scripted(() => 'silence')
    const startedAt = clock.now()
    const sending = gateway.sendText('corretor_ana', { ...text, delayMs: 15_000 })
    await expect(clock.until(sending)).rejects.toEqual(fault('unknown-outcome'))
    expect(clock.now() - startedAt).toBe(75_000)
  })

  test('any other call waits 20 s and reports that there was no answer', async () => {
    const { gateway, clock, asked } = scripted(() => 'silence')
    const startedAt = clock.now()
    await expect(clock.until(gateway.linkState('corretor_ana'))).rejects.toEqual(fault('unreachable'))
    expect(clock.now() - startedAt).toBe(20_000)
    expect(asked).toHaveLength(1)
  })

  test('an answer leaves no timer behind', async () => {
    const { gateway, clock } = scripted(() => ({ body: [] }))
    await gateway.listInstances()
    await turns()
    expect(clock.nextDueInMs()).toBeNull()
  })

  test.each([
    ['ECONNREFUSED', 'unreachable'],
    ['ENOTFOUND', 'unreachable'],
    ['UND_ERR_CONNECT_TIMEOUT', 'unreachable'],
    ['ECONNRESET', 'unknown-outcome'],
    ['UND_ERR_SOCKET', 'unknown-outcome'],
  ])('a send that ended with %s is %s', async (code, name) => {
    const { gateway } = scripted(() => connectionFault(code))
    await expect(gateway.sendText('corretor_ana', text)).rejects.toEqual(fault(name))
  })

  test('a closed port is unreachable, for sends as well', async () => {
    const port = await freePort()
    const parts = { apiKey: KEY, clock: steppingClock(), log: silentLog }
    const gateway = createEvolutionGateway({ baseUrl: `http://127.0.0.1:${port}`, ...parts })
    await expect(gateway.sendText('corretor_ana', text)).rejects.toEqual(fault('unreachable'))
  })
})

describe('the version', () => {
  test('is requested once and again after ten minutes', async () => {
    const { gateway, clock, versions } = scripted(() => ({ body: [] }))
    await Promise.all([gateway.listInstances(), gateway.listInstances()])
    await gateway.listInstances()
    expect(versions.count).toBe(1)
    clock.advance(10 * 60_000)
    await gateway.listInstances()
    expect(versions.count).toBe(2)
  })

  test.each(['1.8.6', '2.2.3', '3.0.0', 'nova', null, 7])(
    '%j is refused before any other call',
    async (version) => {
      const { gateway, asked, versions } = scripted(() => ({ body: [] }), { version })
      await expect(gateway.listInstances()).rejects.toEqual(fault('unsupported'))
      await expect(gateway.version()).rejects.toEqual(fault('unsupported'))
      expect(asked).toEqual([])
      expect(versions.count).toBe(2)
    },
  )
})

describe('what is never sent', () => {
  test.each(['../x', 'Corretor', 'corretor ana', 'a/b', 'a?b', '', 'ç'])(
    'the instance name %j',
    async (name) => {
      const { gateway, asked } = scripted(() => ({ body: [] }))
      for (const call of [
        gateway.linkState(name),
        gateway.findInstance(name),
        gateway.sendText(name, text),
        gateway.createInstance({ instanceName: name, token: 'T', webhook: WEBHOOK }),
      ])
        await expect(call).rejects.toEqual(fault('refused'))
      expect(asked).toEqual([])
    },
  )

  test.each(['+55 11 95550-0142', '123', '5511955500142@g.us', 'status@broadcast', ''])(
    'the number %j',
    async (number) => {
      const { gateway, asked } = scripted(() => ({ body: SENT }))
      await expect(gateway.sendText('corretor_ana', { ...text, number })).rejects.toEqual(fault('refused'))
      expect(asked).toEqual([])
    },
  )

  test('key, number and text, in logs and errors', async () => {
    const body = { response: { message: [`key ${KEY} Error: ${text.text} to ${text.number}`] } }
    const { gateway, lines } = scripted(() => ({ status: 400, body }))
    const error: unknown = await gateway.sendText('corretor_ana', text).catch((thrown: unknown) => thrown)
    const everything = JSON.stringify([error, String(error), error instanceof Error && error.stack, lines])
    for (const secret of [KEY, text.number, `${text.text} to`]) expect(everything).not.toContain(secret)
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
      expect.objectContaining({
        level: 'warn',
        event: 'gateway.failed',
        operation: 'sendText',
        instance: 'corretor_ana',
        fault: 'unknown-outcome',
        status: 400,
      }),
    ])
  })

  test('a key that no header can contain, in the error', async () => {
    const parts = { clock: steppingClock(), log: silentLog, baseUrl: 'http://127.0.0.1:9' }
    const gateway = createEvolutionGateway({ apiKey: 'quebrada\nsegredo', ...parts })
    const error: unknown = await gateway.listInstances().catch((thrown: unknown) => thrown)
    expect(error).toEqual(fault('unreachable'))
    expect(String(error)).not.toContain('segredo')
  })
})
