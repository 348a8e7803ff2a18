// Messages in the simulated WhatsApp: their kinds, addresses, acks and changes. Also the demonstration's people.
import { describe, expect, test } from 'vitest'
import { systemClock } from '#server/clock.ts'
import { document, picture, voice } from '#server/whatsapp/gateway/simulator/media/stock-media.ts'
import { createSimulator, startSimulator } from '#server/whatsapp/gateway/simulator/simulator.ts'
import type { DemoContact } from '#server/whatsapp/gateway/simulator/leads.ts'
import { createLog } from '#server/log.ts'
import { inProcess, receiver, silentLog, turns, WEBHOOK, type Delivered } from '#tests/support/gateway.ts'

const PERSON = '5511955500142'
const JID = `${PERSON}@s.whatsapp.net`
const LID = '99887766554433'
const PHONE = { number: '5511955500001', name: 'Ana' }
const instance = 'ana'

function linked(options: Parameters<typeof inProcess>[0] = {}) {
  const scenario = inProcess(options)
  const { simulator } = scenario
  simulator.adopt({ instanceName: instance, token: 'T', webhookUrl: WEBHOOK.url, phone: PHONE })
  return { ...scenario, control: simulator.control }
}

const dataOf = ({ body }: Delivered) => body.data
const upserts = ({ webhooks }: ReturnType<typeof inProcess>) =>
  webhooks.all.filter(({ body }) => body.event === 'messages.upsert').map(dataOf)

describe('kinds', () => {
  const mp4 = { base64: 'AAAAGGZ0eXBt', mimeType: 'video/mp4', seconds: 9 }
  test.each([
    [{ kind: 'text', text: 'oi' }, 'conversation', { conversation: 'oi' }],
    [
      { kind: 'image', text: 'foto' },
      'imageMessage',
      { imageMessage: { caption: 'foto', mimetype: 'image/png' }, base64: picture().base64 },
    ],
    [
      { kind: 'voice' },
      'audioMessage',
      { audioMessage: { ptt: true, seconds: 3, mimetype: 'audio/ogg; codecs=opus' } },
    ],
    [
      { kind: 'video', file: mp4 },
      'videoMessage',
      { videoMessage: { seconds: 9, mimetype: 'video/mp4' }, base64: mp4.base64 },
    ],
    [
      { kind: 'document' },
      'documentMessage',
      { documentMessage: { fileName: 'proposta.pdf' }, base64: document().base64 },
    ],
    [
      { kind: 'sticker', text: 'x' },
      'stickerMessage',
      { stickerMessage: expect.not.objectContaining({ caption: 'x' }) },
    ],
    [
      { kind: 'contact', text: 'Beto' },
      'contactMessage',
      { contactMessage: { displayName: 'Beto', vcard: expect.stringContaining('FN:Beto') } },
    ],
    [
      { kind: 'location', text: 'Sé' },
      'locationMessage',
      { locationMessage: { name: 'Sé', degreesLatitude: -23.55 } },
    ],
    [
      { kind: 'reaction', text: '👍', target: { id: 'X' } },
      'reactionMessage',
      { reactionMessage: { text: '👍', key: { id: 'X', fromMe: true, remoteJid: JID } } },
    ],
    [
      { kind: 'ephemeral', text: 'some' },
      'ephemeralMessage',
      { ephemeralMessage: { message: { extendedTextMessage: { text: 'some' } } } },
    ],
    [{ kind: 'view-once' }, 'viewOnceMessageV2', { viewOnceMessageV2: { message: { imageMessage: {} } } }],
    [{ kind: 'poll', text: 'Qual?' }, 'pollCreationMessageV3', { pollCreationMessageV3: { name: 'Qual?' } }],
  ] as const)('%j', (...[arrival, messageType, message]) => {
    const scenario = linked()
    scenario.control.receive({ instance, from: PERSON, name: 'Bia', ...arrival })
    expect(upserts(scenario)).toEqual([
      expect.objectContaining({ pushName: 'Bia', status: 'DELIVERY_ACK', messageType }),
    ])
    expect(upserts(scenario)[0]).toMatchObject({ message, key: { remoteJid: JID, fromMe: false } })
  })

  test('a quote names its author', () => {
    const scenario = linked()
    scenario.control.receive({ instance, from: PERSON, target: { id: 'Q', text: 'pergunta' } })
    expect(upserts(scenario)[0]).toMatchObject({
      contextInfo: {
        stanzaId: 'Q',
        participant: `${PHONE.number}@s.whatsapp.net`,
        quotedMessage: { conversation: 'pergunta' },
      },
    })
  })

  test("a video without a file, a reaction without a target and an unknown instance are the test's faults", () => {
    const { control } = linked()
    expect(() => control.receive({ instance, from: PERSON, kind: 'video' })).toThrow('a video needs a file')
    expect(() => control.receive({ instance, from: PERSON, kind: 'reaction' })).toThrow('needs a target')
    expect(() => control.receive({ instance: 'nada', from: PERSON })).toThrow('no instance nada')
    expect(() => control.revoke({ instance, id: 'NADA' })).toThrow('no message NADA')
  })

  test('the stock files have their declared types', () => {
    const start = (base64: string) => Buffer.from(base64, 'base64').toString('latin1')
    expect(start(document().base64)).toMatch(/^%PDF-1\.4\n[^]*startxref\n\d+\n%%EOF\n$/)
    const ogg = start(voice(2).base64)
    expect(ogg.match(/OggS/g)).toHaveLength(3)
    expect(ogg).toMatch(/^OggS[^]*OpusHead[^]*OpusTags/)
    expect(start(picture().base64)).toMatch(/^\x89PNG/)
  })
})

describe('addresses', () => {
  test.each([
    ['2.3.6', 'lid+alt', { remoteJid: `${LID}@lid`, remoteJidAlt: JID, addressingMode: 'lid' }],
    ['2.3.7', 'lid+alt', { remoteJid: JID, remoteJidAlt: JID, addressingMode: 'lid' }],
    ['2.3.7', 'pn+lid', { remoteJid: JID, remoteJidAlt: `${LID}@lid`, addressingMode: 'pn' }],
    ['2.3.7', 'lid', { remoteJid: `${LID}@lid`, addressingMode: 'lid' }],
    ['2.3.7', 'pn', { remoteJid: JID }],
  ] as const)('%s reports %s', async (...[version, addressing, key]) => {
    const scenario = linked({ version })
    scenario.control.subscriber({ number: PERSON, lid: LID })
    const id = scenario.control.receive({ instance, from: PERSON, addressing })
    expect(upserts(scenario)[0]?.['key']).toEqual({ ...key, fromMe: false, id })
    const jid = addressing.startsWith('pn') ? JID : `${LID}@lid`
    const found = await scenario.clock.until(
      scenario.gateway.findMessages(instance, { jid, page: 1, pageSize: 9 }),
    )
    expect(found.records).toHaveLength(1)
  })

  test('a message typed on the phone keeps its lid and is ours', () => {
    const scenario = linked()
    scenario.control.receive({ instance, from: PERSON, lid: LID, addressing: 'lid', fromMe: true })
    expect(upserts(scenario)[0]).toMatchObject({
      key: { remoteJid: `${LID}@lid`, fromMe: true },
      pushName: 'Você',
      status: 'SERVER_ACK',
    })
  })

  test.each(['120363000000000000@g.us', 'status@broadcast'])('%s is withheld by the settings', (room) => {
    const scenario = linked()
    scenario.control.receive({ instance, from: PERSON, room })
    expect(scenario.webhooks.all).toEqual([])
  })

  test("a group's message arrives once it is enabled", async () => {
    const scenario = linked()
    const six = [
      'rejectCall',
      'groupsIgnore',
      'alwaysOnline',
      'readMessages',
      'readStatus',
      'syncFullHistory',
    ]
    await scenario.simulator.fetch('http://gateway.test/settings/set/ana', {
      method: 'POST',
      headers: { apikey: 'T' },
      body: JSON.stringify(Object.fromEntries(six.map((name) => [name, false]))),
    })
    scenario.control.receive({ instance, from: PERSON, room: '120363000000000000@g.us' })
    expect(upserts(scenario)[0]?.['key']).toMatchObject({ participant: JID })
  })

  test('a history is one list and no upsert', () => {
    const scenario = linked()
    scenario.control.history({
      instance,
      messages: [
        { from: PERSON, atSeconds: 1 },
        { from: PERSON, atSeconds: 2 },
      ],
    })
    expect(scenario.webhooks.events()).toEqual(['messages.set'])
    expect(scenario.webhooks.all[0]?.body.data).toHaveLength(2)
  })
})

describe('changes of a message', () => {
  const send = (scenario: ReturnType<typeof linked>) =>
    scenario.clock.until(scenario.gateway.sendText(instance, { number: PERSON, text: 'oi', delayMs: 0 }))
  const statuses = ({ webhooks }: ReturnType<typeof linked>) =>
    webhooks.all
      .filter(({ body }) => body.event === 'messages.update')
      .map(({ body }) => body.data?.['status'])

  test.each([
    ['delivered', ['SERVER_ACK', 'DELIVERY_ACK']],
    ['read', ['SERVER_ACK', 'DELIVERY_ACK', 'READ']],
    ['server-only', ['SERVER_ACK']],
    ['none', []],
    ['error', ['ERROR']],
    ['reversed', ['DELIVERY_ACK', 'SERVER_ACK']],
  ] as const)('acks %s', async (...[plan, expected]) => {
    const scenario = linked()
    scenario.control.acks({ instance, plan })
    const { messageId } = await send(scenario)
    await scenario.clock.until(scenario.clock.sleep(5_000))
    expect(statuses(scenario)).toEqual(expected)
    expect(scenario.webhooks.all[0]?.body).toMatchObject({
      event: 'send.message',
      data: { key: { id: messageId }, status: 'PENDING' },
    })
  })

  test('a later ack on request', async () => {
    const scenario = linked()
    scenario.control.acks({ instance, plan: 'none' })
    const { messageId } = await send(scenario)
    scenario.control.acknowledge({ instance, id: messageId, status: 'PLAYED' })
    expect(scenario.webhooks.all.at(-1)?.body.data).toMatchObject({
      keyId: messageId,
      status: 'PLAYED',
      fromMe: true,
    })
  })

  test.each([
    ['timed-out-sent', 1],
    ['timed-out-unsent', 0],
  ] as const)('after %s, %i are found', async (...[effect, count]) => {
    const scenario = linked()
    scenario.control.nextSend({ instance, effect })
    await expect(send(scenario)).rejects.toMatchObject({ fault: 'unknown-outcome' })
    const found = await scenario.clock.until(
      scenario.gateway.findMessages(instance, { jid: JID, page: 1, pageSize: 9 }),
    )
    expect(found.records).toHaveLength(count)
  })

  test('a slow message is slow once', async () => {
    const scenario = linked()
    scenario.control.nextSend({ instance, effect: 'slow', delayMs: 30_000 })
    const startedAt = scenario.clock.now()
    await send(scenario)
    expect(scenario.clock.now() - startedAt).toBe(30_000)
    await send(scenario)
    expect(scenario.clock.now() - startedAt).toBeLessThan(31_000)
  })

  test('edits and removals', async () => {
    const scenario = linked()
    const id = scenario.control.receive({ instance, from: PERSON, text: 'antes' })
    scenario.control.edit({ instance, id, text: 'depois' })
    scenario.control.revoke({ instance, id })
    expect(scenario.webhooks.all.slice(-3).map(({ body }) => [body.event, body.data?.['type']])).toEqual([
      ['messages.edited', 'MESSAGE_EDIT'],
      ['messages.edited', 'REVOKE'],
      ['messages.delete', undefined],
    ])
    const { records } = await scenario.clock.until(
      scenario.gateway.findMessages(instance, { jid: JID, page: 1, pageSize: 9 }),
    )
    expect(records[0]).toMatchObject({
      message: {},
      MessageUpdate: [{ status: 'EDITED' }, { status: 'EDITED' }, { status: 'SERVER_ACK' }],
    })
  })
})

describe("the demonstration's people", () => {
  const ana: DemoContact = { number: PERSON, name: 'Bia Lima' }
  const LIVELY = { log: silentLog, writeEveryMs: { min: 20_000, max: 70_000 } }

  test('write unprompted, under their own names, only to linked brokers', async () => {
    const scenario = linked()
    scenario.simulator.startLeads({ ...LIVELY, contactsOf: () => Promise.resolve([ana]) })
    await scenario.clock.until(scenario.clock.sleep(3_600_000))
    const said = upserts(scenario)
    expect(said.length).toBeGreaterThan(50)
    expect(new Set(said.map((data) => data?.['pushName']))).toEqual(new Set(['Bia Lima']))
    expect(new Set(said.map((data) => data?.['messageType'])).size).toBeGreaterThan(1)

    scenario.control.unlink({ instance })
    const before = upserts(scenario).length
    await scenario.clock.until(scenario.clock.sleep(3_600_000))
    expect(upserts(scenario)).toHaveLength(before)
  })

  test('send albums and call, and a call rings until it ends', async () => {
    const scenario = linked()
    scenario.simulator.startLeads({ ...LIVELY, contactsOf: () => Promise.resolve([ana]) })
    await scenario.clock.until(scenario.clock.sleep(8 * 3_600_000))
    const types = upserts(scenario).map((data) => data?.['messageType'])
    const photos = types.filter((type) => type === 'associatedChildMessage').length
    const albums = types.filter((type) => type === 'albumMessage').length
    expect(albums).toBeGreaterThan(5)
    expect(photos).toBeGreaterThan(2 * albums)
    const steps = scenario.webhooks.all
      .filter(({ body }) => body.event === 'call')
      .map(({ body }) => [body.data?.['id'], body.data?.['status']])
    expect(steps.length).toBeGreaterThan(10)
    for (const [id] of steps.slice(0, -1))
      expect(steps.filter(([other]) => other === id).map(([, status]) => status)).toEqual([
        'offer',
        'timeout',
      ])
  })

  test('read messages and sometimes answer', async () => {
    const scenario = linked()
    scenario.simulator.startLeads({ ...LIVELY, contactsOf: () => Promise.resolve([]) })
    for (let round = 0; round < 20; round++) {
      await scenario.clock.until(
        scenario.gateway.sendText(instance, { number: PERSON, text: 'Tudo bem?', delayMs: 0 }),
      )
      await scenario.clock.until(scenario.clock.sleep(60_000))
    }
    const read = scenario.webhooks.all.filter(({ body }) => body.data?.['status'] === 'READ')
    expect(read.length).toBeGreaterThan(10)
    expect(upserts(scenario).length).toBeGreaterThan(3)
    expect(upserts(scenario).length).toBeLessThan(read.length)
  })

  test('scan the shown code', async () => {
    const scenario = inProcess()
    scenario.simulator.startLeads({ ...LIVELY, contactsOf: () => Promise.resolve([]) })
    const { clock, gateway, webhooks } = scenario
    await clock.until(gateway.createInstance({ instanceName: instance, token: 'T', webhook: WEBHOOK }))
    await clock.until(gateway.connect(instance, '5511955500001'))
    await clock.until(webhooks.first('connection.update', ({ body }) => body.data?.['state'] === 'open'))
    expect(await clock.until(gateway.findInstance(instance))).toMatchObject({
      state: 'open',
      ownerJid: '5511955500001@s.whatsapp.net',
    })
  })

  test('continue after a failed list, and the log says so', async () => {
    const lines: string[] = []
    const scenario = linked()
    const fails = () => Promise.reject(new Error('sem banco'))
    const log = createLog('warn', (line) => lines.push(line))
    scenario.simulator.startLeads({ ...LIVELY, contactsOf: fails, log })
    await scenario.clock.until(scenario.clock.sleep(300_000))
    expect(lines.length).toBeGreaterThan(2)
    expect(lines[0]).toContain('simulator.leads-failed')
  })

  test('stop with the simulator', async () => {
    const scenario = linked()
    scenario.simulator.startLeads({ ...LIVELY, contactsOf: () => Promise.resolve([ana]) })
    await scenario.simulator.stop()
    await turns()
    expect(scenario.clock.nextDueInMs()).toBeNull()
  })
})

describe('faults set from another process', () => {
  test('validate their input and return their result', async () => {
    const { post, first } = receiver(systemClock)
    const simulator = await startSimulator({ clock: systemClock, post }, { control: {} })
    const turn = async (knob: string, input: object) => {
      const response = await fetch(`${simulator.controlUrl}/${knob}`, {
        method: 'POST',
        body: JSON.stringify(input),
      })
      const answer: unknown = await response.json()
      return { status: response.status, answer }
    }
    try {
      simulator.adopt({ instanceName: instance, token: 'T', webhookUrl: WEBHOOK.url, phone: PHONE })
      expect(await turn('receive', { instance, from: PERSON, text: 'oi', id: 'ID' })).toEqual({
        status: 200,
        answer: { result: 'ID' },
      })
      expect((await first('messages.upsert')).body).toMatchObject({
        data: { message: { conversation: 'oi' } },
      })
      expect(await turn('zombie', { instance, on: true })).toEqual({ status: 200, answer: { result: null } })
      expect((await turn('receive', { instance, from: 'x' })).status).toBe(400)
      expect((await turn('receive', { instance: 'nada', from: PERSON })).status).toBe(400)
      expect((await turn('nada', {}).catch(() => ({ status: 404 }))).status).toBe(404)
    } finally {
      await simulator.stop()
    }
  })

  test('are closed unless enabled', async () => {
    const simulator = await startSimulator({ clock: systemClock })
    await simulator.stop()
    expect(simulator.controlUrl).toBeNull()
    expect(createSimulator({ clock: systemClock })).not.toHaveProperty('controlUrl')
    await expect(fetch(simulator.url)).rejects.toThrow('fetch failed')
  })
})
