// The tests that every kind of gateway has to pass, over a real socket and in one process, with every version.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Simulator } from '#server/whatsapp/gateway/simulator/simulator.ts'
import type { Incoming } from '#server/delivery.ts'
import type { Gateway, MessageSearch } from '#server/gateway.ts'
import { deliveriesOf, type RoomName } from '#server/whatsapp/gateway/rooms.ts'
import { inProcess, overLoopback, wahaInProcess, WEBHOOK } from '#tests/support/gateway.ts'

type Fulfilment = {
  gateway: Gateway
  simulator: Simulator
  until: <T>(promise: Promise<T>) => Promise<T>
  kind: RoomName
}

const looped = async (version: '2.3.7' | '2.3.6'): Promise<Fulfilment> => ({
  ...(await overLoopback(version)),
  until: (promise) => promise,
  kind: 'evolution',
})

const FULFILMENTS: [string, () => Promise<Fulfilment>][] = [
  [
    'in one process, 2.3.7',
    () => {
      const { gateway, simulator, clock } = inProcess()
      return Promise.resolve({ gateway, simulator, until: clock.until, kind: 'evolution' })
    },
  ],
  [
    'in one process, WAHA',
    () => {
      const { gateway, simulator, clock } = wahaInProcess()
      return Promise.resolve({ gateway, simulator, until: clock.until, kind: 'waha' })
    },
  ],
  ['over loopback, 2.3.7', () => looped('2.3.7')],
  ['over loopback, 2.3.6', () => looped('2.3.6')],
]

const PERSON = '5511955500142'
const JID = '5511955500142@s.whatsapp.net'
const LID = '99887766554433@lid'
const PHONE = { number: '5511955500001', name: 'Ana' }

describe.each(FULFILMENTS)('the gateway %s', (_, open) => {
  let { gateway, simulator, until, kind }: Partial<Fulfilment> = {}
  let count = 0

  beforeAll(async () => ({ gateway, simulator, until, kind } = await open()))
  afterAll(() => simulator?.stop())

  const opened = (): Fulfilment => {
    if (gateway === undefined || simulator === undefined || until === undefined || kind === undefined)
      throw new Error('not open')
    return { gateway, simulator, until, kind }
  }
  /** Makes an instance with a new name. */
  const made = async () => {
    const { gateway, until } = opened()
    const instanceName = `corretor_${(count += 1)}`
    const instance = await until(
      gateway.createInstance({ instanceName, token: `T${count}`, webhook: WEBHOOK }),
    )
    return { ...opened(), instanceName, instance }
  }
  const linked = async () => {
    const all = await made()
    await all.until(all.gateway.connect(all.instanceName))
    all.simulator.control.scan({ instance: all.instanceName, ...PHONE })
    return all
  }
  /** The events that the portal reads from the gateway's stored messages, newest first. */
  const eventsIn = async (instanceName: string, search: Partial<MessageSearch> = {}): Promise<Incoming[]> => {
    const { gateway, until, kind } = opened()
    const { records } = await until(gateway.findMessages(instanceName, { page: 1, pageSize: 3, ...search }))
    const around = { ownJid: `${PHONE.number}@s.whatsapp.net`, atMs: Date.UTC(2027, 0, 1) }
    return records.flatMap((record) => deliveriesOf(kind)?.readRecord(record, around) ?? [])
  }
  const messagesIn = async (instanceName: string, search: Partial<MessageSearch> = {}) =>
    (await eventsIn(instanceName, search)).filter((event) => event.event === 'message')
  const text = (words: string, number = PERSON) => ({ number, text: words, delayMs: 0 })
  const fault = (name: string) => expect.objectContaining({ name: 'GatewayError', fault: name })

  test('reports its version', async () => {
    const { gateway, until } = opened()
    expect(await until(gateway.version())).toMatch(/^(2\.3\.[67]|2026\.\d+\.\d+)$/)
  })

  test('creates an instance once, finds it and lists it without its token', async () => {
    const { gateway, until, instanceName, instance } = await made()
    const found = await until(gateway.findInstance(instanceName))
    expect(found).toMatchObject({ ...instance, instanceName, state: 'close', ownerJid: null })
    expect(await until(gateway.listInstances())).toContainEqual(found)
    const again = gateway.createInstance({ instanceName, token: 'T', webhook: WEBHOOK })
    await expect(until(again)).rejects.toEqual(fault('name-taken'))
  })

  test('gives a code, then the link of the phone that scanned it', async () => {
    const { gateway, simulator, until, instanceName } = await made()
    expect(await until(gateway.linkState(instanceName))).toBe('close')
    const offer = await until(gateway.connect(instanceName))
    expect(offer).toMatchObject({ kind: 'code', pairingCode: null })
    expect(offer).toHaveProperty('qrImage', expect.stringMatching(/^data:image\/png;base64,iVBORw0KGgo/))
    expect(await until(gateway.linkState(instanceName))).toBe('connecting')
    simulator.control.scan({ instance: instanceName, ...PHONE })
    expect(await until(gateway.connect(instanceName))).toEqual({ kind: 'open' })
    expect(await until(gateway.findInstance(instanceName))).toMatchObject({
      state: 'open',
      ownerJid: `${PHONE.number}@s.whatsapp.net`,
      profileName: 'Ana',
    })
  })

  test('gives a pairing code for the same phone', async () => {
    const { gateway, until, instanceName } = await made()
    expect(await until(gateway.connect(instanceName, PHONE.number))).toMatchObject({
      kind: 'code',
      pairingCode: expect.stringMatching(/^[A-Z\d]{8}$/),
    })
  })

  test('waits if no code comes, and a restart does not end the wait', async () => {
    const { gateway, simulator, until, instanceName } = await made()
    simulator.control.withholdQr({ instance: instanceName, on: true })
    expect(await until(gateway.connect(instanceName))).toEqual({ kind: 'waiting' })
    await until(gateway.restart(instanceName))
    expect(await until(gateway.connect(instanceName))).toEqual({ kind: 'waiting' })
  })

  test('restarts only linked instances', async () => {
    const { gateway, until, instanceName } = await made()
    await expect(until(gateway.restart(instanceName))).rejects.toEqual(fault('not-linked'))
  })

  test('ends a link, also twice, and deletes the instance', async () => {
    const { gateway, until, instanceName } = await linked()
    await until(gateway.logout(instanceName))
    await until(gateway.logout(instanceName))
    expect(await until(gateway.linkState(instanceName))).toBe('close')
    await until(gateway.deleteInstance(instanceName))
    await until(gateway.deleteInstance(instanceName))
    expect(await until(gateway.findInstance(instanceName))).toBeNull()
  })

  test('has no unknown instances', async () => {
    const { gateway, until } = opened()
    await expect(until(gateway.linkState('corretor_ninguem'))).rejects.toEqual(fault('unknown-instance'))
    await expect(until(gateway.sendText('corretor_ninguem', text('oi')))).rejects.toEqual(
      fault('unknown-instance'),
    )
  })

  test('stores webhook and settings', async () => {
    const { gateway, until, instanceName } = await made()
    const webhook = { url: 'http://portal.test/webhook/outra' }
    await expect(until(gateway.setWebhook(instanceName, webhook))).resolves.toBeUndefined()
  })

  test('accepts a text and returns the address that WhatsApp resolved', async () => {
    const { gateway, until, instanceName } = await linked()
    const accepted = await until(gateway.sendText(instanceName, text('oi', '5531987654321')))
    expect(accepted).toEqual({
      messageId: expect.stringMatching(/^3EB0[\dA-F]{18}$/),
      jid: '553187654321@s.whatsapp.net',
      sentAtSeconds: expect.any(Number),
    })
    const reused = await until(gateway.sendText(instanceName, text('de novo', accepted.jid)))
    expect(reused.jid).toBe(accepted.jid)
  })

  test('reports why a text was not sent', async () => {
    const { gateway, simulator, until, kind, instanceName } = await made()
    const send = (number = PERSON) => until(gateway.sendText(instanceName, text('oi', number)))
    await expect(send()).rejects.toEqual(fault('not-linked'))
    await until(gateway.connect(instanceName))
    await expect(send('5511955500998')).rejects.toEqual(fault('not-linked'))
    simulator.control.scan({ instance: instanceName, ...PHONE })
    simulator.control.subscriber({ number: '5511955500999', exists: false })
    await expect(send('5511955500999')).rejects.toEqual(fault('not-on-whatsapp'))
    await expect(until(gateway.sendText(instanceName, text(' ')))).rejects.toEqual(fault('refused'))
    simulator.control.nextSend({ instance: instanceName, effect: 'closed-400' })
    await expect(send()).rejects.toEqual(fault('not-linked'))
    simulator.control.nextSend({ instance: instanceName, effect: 'timed-out-unsent' })
    await expect(send()).rejects.toEqual(fault('unknown-outcome'))
    simulator.control.nextSend({ instance: instanceName, effect: 'failed-500' })
    // WAHA may fail after it has sent, so its 500 proves nothing.
    await expect(send()).rejects.toEqual(fault(kind === 'waha' ? 'unknown-outcome' : 'failed'))
    simulator.control.zombie({ instance: instanceName, on: true })
    expect(await until(gateway.linkState(instanceName))).toBe('open')
    await expect(send()).rejects.toEqual(fault('not-linked'))
    await until(gateway.restart(instanceName))
  })

  test.each([
    ['image', 'foto.png', 'image/png', 'iVBORw0KGgoAAAAA'],
    ['document', 'proposta.pdf', 'application/pdf', 'JVBERi0xLjQK'],
    ['video', 'visita.mp4', 'video/mp4', 'AAAAGGZ0eXBt'],
    ['audio', 'aviso.mp3', 'audio/mpeg', 'SUQzBAAA'],
    ['voice', 'voz.ogg', 'audio/ogg', 'T2dnUwAC'],
  ] as const)('accepts a %s and returns it', async (...file) => {
    const [kind, fileName, mimeType, base64] = file
    const { gateway, until, instanceName } = await linked()
    const media = { kind, fileName, mimeType, base64, caption: kind === 'image' ? 'a fachada' : '' }
    const { messageId, jid } = await until(
      gateway.sendMedia(instanceName, { number: PERSON, media, delayMs: 0 }),
    )
    expect(jid).toBe(JID)
    const bytes = await until(gateway.fetchMedia(instanceName, messageId))
    expect(Buffer.from(bytes).toString('base64')).toBe(base64)
  })

  test("returns the file of an album's photo, whose wrapper it does not open by itself", async () => {
    const { gateway, simulator, until, instanceName: instance } = await linked()
    const headId = simulator.control.receive({ instance, from: PERSON, kind: 'album' })
    const file = { base64: 'iVBORw0KGgo=', mimeType: 'image/png', fileName: 'sala.png' }
    const photo = { instance, from: PERSON, kind: 'album-photo', file, target: { id: headId } } as const
    const messageId = simulator.control.receive(photo)
    const bytes = await until(gateway.fetchMedia(instance, messageId))
    expect(Buffer.from(bytes).toString('base64')).toBe(file.base64)
  })

  test('reacts to a message, changes the reaction and removes it', async () => {
    const { gateway, simulator, until, kind, instanceName: instance } = await linked()
    const messageId = simulator.control.receive({ instance, from: PERSON, text: 'Gostei' })
    const reaction = { jid: JID, messageId, isOwn: false }
    for (const emoji of ['👍', '❤️', '']) {
      const accepted = await until(gateway.sendReaction(instance, { ...reaction, emoji }))
      expect(accepted.jid).toBe(JID)
    }
    const reactions = (await eventsIn(instance, { jid: JID })).filter(({ event }) => event === 'reaction')
    // WAHA lists no reactions among its stored messages. It reports them by webhook.
    expect(reactions).toEqual(
      kind === 'waha'
        ? []
        : ['', '❤️', '👍'].map((emoji) => expect.objectContaining({ messageId, isOwn: true, emoji })),
    )
    await expect(until(gateway.sendReaction(instance, { ...reaction, emoji: 'ok' }))).rejects.toEqual(
      fault('refused'),
    )
  })

  test("shows 'digitando…' without a message", async () => {
    const { gateway, until, instanceName: instance } = await linked()
    await until(gateway.showTyping(instance, { number: PERSON, delayMs: 12_000 }))
    const { records } = await until(gateway.findMessages(instance, { page: 1, pageSize: 3 }))
    expect(records).toEqual([])
    await expect(until(gateway.showTyping(instance, { number: '123', delayMs: 1 }))).rejects.toEqual(
      fault('refused'),
    )
  })

  test('edits a text of ours and deletes it for all, and reports why it could not', async () => {
    const { gateway, simulator, until, kind, instanceName: instance } = await linked()
    const { messageId, jid } = await until(gateway.sendText(instance, text('Às 10h')))
    const stored = async () =>
      (await messagesIn(instance, { jid: JID })).flatMap((one) =>
        one.messageId === messageId ? one.body : [],
      )
    await until(gateway.sendEdit(instance, { jid, messageId, text: 'Às 11h' }))
    expect(await stored()).toEqual(['Às 11h'])
    const edit = (of: { jid: string; messageId: string }) =>
      until(gateway.sendEdit(instance, { ...of, text: 'x' }))
    await expect(edit({ jid, messageId: '3EB0DESCONHECIDA' })).rejects.toEqual(fault('refused'))
    // WAHA treats both addresses of a person as one chat.
    const word = await edit({ jid: LID, messageId }).catch((error: unknown) => error)
    expect(word).toEqual(kind === 'waha' ? undefined : fault('refused'))
    simulator.control.nextSend({ instance, effect: 'timed-out-unsent' })
    await expect(edit({ jid, messageId })).rejects.toEqual(fault('unknown-outcome'))
    await until(gateway.sendDeletion(instance, { jid, messageId }))
    // A retry is safe.
    await until(gateway.sendDeletion(instance, { jid, messageId }))
    expect((await stored()).join('')).toBe('')
    simulator.control.zombie({ instance, on: true })
    await expect(edit({ jid, messageId })).rejects.toEqual(fault('not-linked'))
    await expect(until(gateway.sendDeletion(instance, { jid, messageId }))).rejects.toEqual(
      fault('not-linked'),
    )
  })

  test("sends a location and a contact, in the API's form", async () => {
    const { gateway, until, instanceName: instance } = await linked()
    const place = { latitude: -23.56, longitude: -46.65, name: null, address: null }
    await until(gateway.sendLocation(instance, { number: PERSON, place }))
    await until(gateway.sendContact(instance, { number: PERSON, name: 'Rui Prado', phone: '5511955500777' }))
    expect(await messagesIn(instance, { jid: JID })).toMatchObject([
      { kind: 'contact', content: { contacts: [{ name: 'Rui Prado', phones: ['5511955500777'] }] } },
      { kind: 'location', content: { latitude: -23.56, longitude: -46.65, name: null, address: null } },
    ])
  })

  test('quotes a known message, and sends without a quote for an unknown one', async () => {
    const { gateway, simulator, until, instanceName: instance } = await linked()
    const id = simulator.control.receive({ instance, from: PERSON, text: 'Tem vaga?' })
    await until(gateway.sendText(instance, { ...text('Tem duas'), quotedId: id }))
    await until(gateway.sendText(instance, { ...text('Oi'), quotedId: 'NADA' }))
    expect(await messagesIn(instance, { jid: JID, pageSize: 2 })).toMatchObject([
      { body: 'Oi', quoted: null },
      { body: 'Tem duas', quoted: { messageId: id, body: 'Tem vaga?', isOwn: false } },
    ])
  })

  test('has no media for a text or an unknown id', async () => {
    const { gateway, until, instanceName } = await linked()
    const { messageId } = await until(gateway.sendText(instanceName, text('oi')))
    await expect(until(gateway.fetchMedia(instanceName, messageId))).rejects.toEqual(fault('refused'))
    await expect(until(gateway.fetchMedia(instanceName, 'NADA'))).rejects.toEqual(fault('refused'))
  })

  test('finds a person under phone and lid, newest first, page by page', async () => {
    const { gateway, simulator, until, instanceName: instance } = await linked()
    const { control } = simulator
    const at = (seconds: number) => 1_790_000_000 + seconds
    const says = (words: string, atSeconds: number, more = {}) =>
      control.receive({ instance, from: PERSON, text: words, atSeconds: at(atSeconds), ...more })
    says('um', 1_000)
    says('dois', 2_000, { addressing: 'lid+alt', lid: '99887766554433' })
    says('três', 3_000)
    says('outra pessoa', 2_500, { from: '5511955500777' })
    const page = (more = {}) =>
      until(gateway.findMessages(instance, { jid: JID, page: 1, pageSize: 10, ...more }))
    const words = async (more: Partial<MessageSearch> = {}) =>
      (await messagesIn(instance, { jid: JID, pageSize: 10, ...more })).map(({ body }) => body)

    expect(await words()).toEqual(['três', 'dois', 'um'])
    expect(await words({ jid: LID })).toContain('dois')
    expect(await page({ pageSize: 1 })).toMatchObject({ hasMore: true })
    expect(await words({ between: { fromSeconds: at(1_500), toSeconds: at(2_500) } })).toEqual(['dois'])
    const everyone = { pageSize: 10, between: { fromSeconds: at(2_000), toSeconds: at(3_000) } }
    const all = (await messagesIn(instance, everyone)).map(({ body }) => body)
    expect(all).toEqual(['três', 'outra pessoa', 'dois'])
    expect(await words({ jid: '5511955500000@s.whatsapp.net' })).toEqual([])
  })

  test('returns a message stored twice once', async () => {
    const { gateway, simulator, until, instanceName: instance } = await linked()
    for (const atSeconds of [1_000, 1_000])
      simulator.control.receive({ instance, from: PERSON, id: 'DUAS', text: 'oi', atSeconds })
    const { records } = await until(gateway.findMessages(instance, { jid: JID, page: 1, pageSize: 10 }))
    expect(records).toHaveLength(1)
  })

  test('refuses every call until 2.4 is activated, and says where', async (context) => {
    const { gateway, simulator, until, kind } = opened()
    context.skip(kind === 'waha', 'WAHA is not activated')
    simulator.control.version({ version: '2.4.0' })
    const listing = until(gateway.listInstances())
    await expect(listing).rejects.toEqual(fault('unlicensed'))
    await expect(listing).rejects.toThrow(
      'Erro ao buscar instâncias: 503 - o serviço de WhatsApp ainda não foi ativado pelo administrador: https://',
    )
    simulator.control.version({ version: '2.4.0', isActivated: true })
    await until(gateway.listInstances())
    simulator.control.version({ version: '2.3.7' })
  })
})
