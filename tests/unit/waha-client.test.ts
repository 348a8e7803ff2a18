// WAHA's client: its requests, what one would guess wrong about WAHA, and its errors.
import { describe, expect, test } from 'vitest'
import { createLog } from '#server/log.ts'
import type { GatewayFault } from '#server/gateway.ts'
import { createWahaGateway } from '#server/whatsapp/gateway/waha/client.ts'
import { DIALECT } from '#server/whatsapp/gateway/waha/faults.ts'
import type { Operation } from '#server/whatsapp/gateway/faults.ts'
import { steppingClock, turns, wahaInProcess } from '#tests/support/gateway.ts'

const KEY = 'chave-muito-secreta'
const SECRET = 'segredo-do-endereco'
const WEBHOOK = { url: `http://portal.test/webhook/corretor_ana/${SECRET}` }
const ANA = 'corretor_ana'
const PERSON = '5511955500142'
const JID = `${PERSON}@s.whatsapp.net`
const PHONE = { number: '5511955500001', name: 'Ana' }
const RAW = {
  key: { remoteJid: JID, fromMe: true, id: '3EB0C0FFEE' },
  message: { extendedTextMessage: { text: 'Oi' } },
  messageTimestamp: '1795898525',
  status: 'PENDING',
}
const ME = { id: '5511955500001@c.us', pushName: 'Ana', lid: '' }
const fault = (name: string) => expect.objectContaining({ name: 'GatewayError', fault: name })
const text = { number: JID, text: 'Oi', delayMs: 0 }

type Webhook = { events: string[]; hmac: { key: string } }
type Asked = { method: string; path: string; key: string | null; body: unknown }
type Answers = Record<string, unknown>

/** A scripted server: an answer for each 'METHOD /path' without its query; `asked` omits versions. */
function scripted(answers: Answers, { version = '2026.6.1', engine = 'NOWEB' } = {}) {
  const asked: Asked[] = []
  const lines: string[] = []
  const clock = steppingClock()
  const gateway = createWahaGateway({
    baseUrl: 'http://inside.test/waha/',
    apiKey: KEY,
    clock,
    log: createLog('debug', (line) => lines.push(line)),
    fetch: async (url, { method = '', headers, body }) => {
      const path = url.replace('http://inside.test/waha', '')
      if (path === '/api/server/version') return Response.json({ version, engine, tier: 'CORE' })
      const key = new Headers(headers).get('x-api-key')
      asked.push({ method, path, key, body: typeof body === 'string' ? JSON.parse(body) : undefined })
      const given = answers[`${method} ${path.split('?')[0]}`]
      if (given === undefined) throw new Error(`not scripted: ${method} ${path}`)
      const answer: unknown = typeof given === 'function' ? await given() : given
      if (answer instanceof Response) return answer
      return Response.json(answer, { status: method === 'POST' ? 201 : 200 })
    },
  })
  const sent = () => asked.filter(({ path, method }) => method !== 'GET' && !path.endsWith('Typing'))
  return { gateway, clock, asked, lines, sent }
}

const SESSION = 'GET /api/sessions/corretor_ana'
const session = (status: string, me: object | null = ME) => ({ name: ANA, status, me, config: {} })
const working = (answers: Answers = {}) => scripted({ [SESSION]: session('WORKING'), ...answers })

describe('versions', () => {
  test.each(['2026.6.1', '2026.6.10', '2026.7.1', '2026.10.1', '2027.1.1'])('%s serves', async (version) => {
    const { gateway } = scripted({}, { version })
    await expect(gateway.version()).resolves.toBe(version)
  })

  test.each([
    ['2026.2.1', 'NOWEB'],
    ['2026.6.0', 'NOWEB'],
    ['2025.12.9', 'NOWEB'],
    ['2026.7.1', 'WEBJS'],
    ['2026.7.1', 'GOWS'],
    ['<b>', 'x'],
  ])('%s with %s is refused, and the line says what is needed', async (version, engine) => {
    const { gateway, asked } = scripted({}, { version, engine })
    const refused = gateway.sendText(ANA, text)
    await expect(refused).rejects.toEqual(fault('unsupported'))
    await expect(refused).rejects.toThrow(/use o WAHA 2026\.6\.1 ou mais novo, com o motor NOWEB$/)
    await expect(refused).rejects.not.toThrow('<')
    expect(asked).toEqual([])
  })
})

describe('what a good guess gets wrong', () => {
  test('1: a send answers a raw message of the protocol, its time as text', async () => {
    const { gateway } = working({ 'POST /api/sendText': RAW })
    await expect(gateway.sendText(ANA, text)).resolves.toEqual({
      messageId: '3EB0C0FFEE',
      jid: JID,
      sentAtSeconds: 1_795_898_525,
    })
  })

  test("1: an answer in WAHA's own form has the same id", async () => {
    const own = { id: `true_${PERSON}@c.us_3EB0C0FFEE`, timestamp: 1_795_898_525, _data: {} }
    const { gateway } = working({ 'POST /api/sendText': own })
    await expect(gateway.sendText(ANA, text)).resolves.toMatchObject({ messageId: '3EB0C0FFEE' })
  })

  test('2: a reaction names the message by all three parts, an edit and a deletion in the address', async () => {
    const path = `/api/corretor_ana/chats/${PERSON}%40c.us/messages/true_${PERSON}%40c.us_3EB0AA`
    const { gateway, sent } = working({
      'PUT /api/reaction': RAW,
      [`PUT ${path}`]: RAW,
      [`DELETE ${path}`]: RAW,
    })
    await gateway.sendReaction(ANA, { jid: JID, messageId: '3AAA', isOwn: false, emoji: '👍' })
    await gateway.sendEdit(ANA, { jid: JID, messageId: '3EB0AA', text: 'Às 11h' })
    await gateway.sendDeletion(ANA, { jid: JID, messageId: '3EB0AA' })
    expect(sent()).toMatchObject([
      { method: 'PUT', body: { session: ANA, messageId: `false_${PERSON}@c.us_3AAA`, reaction: '👍' } },
      { method: 'PUT', path, body: { text: 'Às 11h' } },
      { method: 'DELETE', path, body: undefined },
    ])
  })

  test('4, 8, 13: one event for each message, the store on, retries that grow, signed with a key', async () => {
    const { gateway, sent } = scripted({ 'POST /api/sessions': session('STOPPED', null) })
    await gateway.createInstance({ instanceName: ANA, token: 'T', webhook: WEBHOOK })
    const [{ config }] = sent().map(({ body }) => body) as [{ config: { webhooks: [Webhook] } }]
    const [{ events, hmac }] = config.webhooks
    expect(config).toMatchObject({
      noweb: { store: { enabled: true } },
      ignore: { status: true, groups: true, channels: true, broadcast: true },
      webhooks: [{ url: WEBHOOK.url, retries: { policy: 'exponential' } }],
    })
    expect(events).toContain('message.any')
    expect(events).not.toContain('message')
    expect(hmac.key).toMatch(/^[\w-]{43}$/)
    expect(hmac.key).not.toContain(SECRET)
  })

  test('5: whether a session starts is said, and linking starts it', async () => {
    const { gateway, simulator, clock } = wahaInProcess()
    await clock.until(gateway.createInstance({ instanceName: ANA, token: 'T', webhook: WEBHOOK }))
    expect(await clock.until(gateway.linkState(ANA))).toBe('close')
    expect(await clock.until(gateway.connect(ANA))).toMatchObject({ kind: 'code', pairingCode: null })
    simulator.control.scan({ instance: ANA, ...PHONE })
    expect(await clock.until(gateway.connect(ANA))).toEqual({ kind: 'open' })
  })

  test('6: a failed session is restarted, and after the phone unlinked it, logged out', async () => {
    const { gateway, simulator, clock } = await linked()
    simulator.control.unlink({ instance: ANA })
    expect(await clock.until(gateway.linkState(ANA))).toBe('close')
    expect(await clock.until(gateway.connect(ANA))).toMatchObject({ kind: 'code' })
  })

  test('6: used-up codes make a failed session, which a restart cures', async () => {
    const { gateway, simulator, clock } = wahaInProcess()
    await clock.until(gateway.createInstance({ instanceName: ANA, token: 'T', webhook: WEBHOOK }))
    await clock.until(gateway.connect(ANA))
    simulator.control.reachQrLimit({ instance: ANA })
    expect(await clock.until(gateway.linkState(ANA))).toBe('close')
    expect(await clock.until(gateway.connect(ANA))).toMatchObject({ kind: 'code' })
  })

  test('7: a linked session that failed is restarted with growing pauses; others are left alone', async () => {
    const ours = { webhooks: [{ url: WEBHOOK.url }] }
    const listed = [
      { ...session('FAILED'), config: ours },
      {
        ...session('FAILED', null),
        name: 'nunca_ligado',
        config: { webhooks: [{ url: 'http://x/webhook/nunca_ligado/s' }] },
      },
      { ...session('FAILED'), name: 'de_outro', config: { webhooks: [{ url: 'http://x/hooks/de_outro' }] } },
      { ...session('STOPPED', null), name: 'parado', config: {} },
    ]
    const restart = '/api/sessions/corretor_ana/restart'
    const { gateway, clock, sent } = scripted({
      'GET /api/sessions': listed,
      [`POST ${restart}`]: session('STARTING'),
    })
    const restarts: number[] = []
    for (let minute = 0; minute < 120; minute += 1) {
      await gateway.listInstances()
      if (sent().length > restarts.length) restarts.push(minute)
      clock.advance(60_000)
    }
    expect(restarts).toEqual([0, 1, 3, 7, 15, 31, 61, 91])
    expect(new Set(sent().map(({ path }) => path))).toEqual(new Set([restart]))
  })

  test('9: a file is fetched with the key at the own address, wherever its address points', async () => {
    const elsewhere = { url: 'http://localhost:3000/api/files/corretor_ana/3AA.jpeg', mimetype: 'image/jpeg' }
    const { gateway, asked } = scripted({
      'GET /api/corretor_ana/chats/all/messages/3AA': { id: 'x', media: elsewhere },
      'GET /api/files/corretor_ana/3AA.jpeg': () => new Response(new Uint8Array([255, 216, 255])),
    })
    await expect(gateway.fetchMedia(ANA, '3AA')).resolves.toEqual(bytesOf('/9j/'))
    expect(asked.map(({ path, key }) => [path, key])).toEqual([
      ['/api/corretor_ana/chats/all/messages/3AA?downloadMedia=true', KEY],
      ['/api/files/corretor_ana/3AA.jpeg', KEY],
    ])
  })

  test.each([
    'https://bucket.test/3AA.jpeg',
    'http://localhost:3000/api/sessions',
    'http://localhost:3000/api/files/../sessions',
    'http://localhost:3000/api/files/x/%2e%2e/%2e%2e/server/environment',
    'file:///etc/passwd',
    'nada',
  ])('9: %s is no file of the server', async (address) => {
    const { gateway, asked } = scripted({})
    await expect(gateway.fetchFile?.(ANA, address)).rejects.toEqual(fault('refused'))
    expect(asked).toEqual([])
  })

  test('9: three files are fetched at once, and none of more than 100 MB', async () => {
    const open: ((answer: Response) => void)[] = []
    const fetched = () => new Promise<Response>((resolve) => open.push(resolve))
    const { gateway, asked } = scripted({ 'GET /api/files/corretor_ana/3AA.jpeg': fetched })
    const address = 'http://localhost:3000/api/files/corretor_ana/3AA.jpeg'
    const fetching = [1, 2, 3, 4].map(async () => gateway.fetchFile?.(ANA, address))
    await turns()
    expect(asked).toHaveLength(3)
    open[0]?.(new Response('', { headers: { 'content-length': String(101 * 1024 * 1024) } }))
    await expect(fetching[0]).rejects.toEqual(fault('refused'))
    await turns()
    expect(asked).toHaveLength(4)
    for (const answer of open) answer(new Response('x'))
    await expect(Promise.all(fetching.slice(1))).resolves.toHaveLength(3)
  })

  test('9: a file whose life is over is downloaded again', async () => {
    const { gateway, simulator, clock } = await linked()
    const file = { base64: '/9j/2Q==', mimeType: 'image/jpeg' }
    const messageId = simulator.control.receive({ instance: ANA, from: PERSON, kind: 'image', file })
    clock.advance(200_000)
    const address = `http://localhost:3000/api/files/corretor_ana/${messageId}.jpeg`
    const fetching = async () => gateway.fetchFile?.(ANA, address)
    await expect(clock.until(fetching())).rejects.toEqual(fault('refused'))
    expect(await clock.until(gateway.fetchMedia(ANA, messageId))).toEqual(bytesOf(file.base64))
  })

  test('10: a number is asked for first, one at a time, and the answered address used', async () => {
    const { gateway, simulator, clock } = await linked()
    simulator.control.subscriber({ number: '5531987654321', jid: '553187654321@s.whatsapp.net' })
    simulator.control.subscriber({ number: '5511955500999', exists: false })
    const send = (number: string) => gateway.sendText(ANA, { ...text, number })
    await expect(clock.until(send('5531987654321'))).resolves.toMatchObject({
      jid: '553187654321@s.whatsapp.net',
    })
    await expect(clock.until(send('5511955500999'))).rejects.toEqual(fault('not-on-whatsapp'))
    await expect(send('+55 11 95550-0142')).rejects.toEqual(fault('refused'))
  })

  test('10: the next number is asked for after the answer about the one before; a known address never', async () => {
    const open: ((answer: Response) => void)[] = []
    const { gateway, asked } = working({
      'GET /api/contacts/check-exists': () => new Promise<Response>((resolve) => open.push(resolve)),
      'POST /api/sendText': RAW,
    })
    const both = ['5511955500111', '5511955500222'].map((number) =>
      gateway.sendText(ANA, { ...text, number }),
    )
    await gateway.sendText(ANA, text)
    const questions = () => asked.filter(({ path }) => path.includes('check-exists')).map(({ path }) => path)
    expect(questions()).toEqual(['/api/contacts/check-exists?phone=5511955500111&session=corretor_ana'])
    open[0]?.(Response.json({ numberExists: true, chatId: '5511955500111@c.us' }))
    await both[0]
    expect(questions()).toHaveLength(2)
    open[1]?.(Response.json({ numberExists: false }))
    await expect(both[1]).rejects.toEqual(fault('not-on-whatsapp'))
  })

  test('11: what WAHA would take or break on is refused before the call', async () => {
    const { gateway, asked } = working()
    const jid = JID
    await expect(gateway.sendText(ANA, { ...text, text: '' })).rejects.toEqual(fault('refused'))
    await expect(gateway.sendText(ANA, { ...text, number: '123' })).rejects.toEqual(fault('refused'))
    await expect(gateway.sendText('com espaço', text)).rejects.toEqual(fault('refused'))
    const reaction = { jid, messageId: '3AA', isOwn: true, emoji: 'ok' }
    await expect(gateway.sendReaction(ANA, reaction)).rejects.toEqual(fault('refused'))
    expect(asked).toEqual([])
  })

  test('11, 14: neither the answer of a failure, nor key or body, reaches log or error', async () => {
    const echo = failed('Boom: segredo-da-resposta', { text: 'Olá, Ana' })
    const { gateway, lines } = working({ 'POST /api/sendText': () => Response.json(echo, { status: 500 }) })
    const sending = gateway.sendText(ANA, { ...text, text: 'Olá, Ana' })
    await expect(sending).rejects.toEqual(fault('unknown-outcome'))
    const error: unknown = await sending.catch((thrown: unknown) => thrown)
    const told = lines.join('\n') + String(error) + JSON.stringify(error)
    for (const hidden of ['segredo-da-resposta', 'Olá, Ana', KEY]) expect(told).not.toContain(hidden)
    expect(lines.join('\n')).toContain('unknown-outcome')
  })

  test('12: a session that does not work refuses at once', async () => {
    const { gateway, sent } = scripted({ [SESSION]: session('STARTING') })
    await expect(gateway.sendText(ANA, text)).rejects.toEqual(fault('not-linked'))
    await expect(gateway.sendDeletion(ANA, { jid: JID, messageId: '3AA' })).rejects.toEqual(
      fault('not-linked'),
    )
    expect(sent()).toEqual([])
  })

  test('14: an instance has nothing of its configuration', async () => {
    const config = { webhooks: [{ url: WEBHOOK.url, hmac: { key: 'chave-da-assinatura' } }] }
    const { gateway } = scripted({ [SESSION]: { ...session('WORKING'), config } })
    const found = await gateway.findInstance(ANA)
    expect(found).toEqual({
      instanceId: ANA,
      instanceName: ANA,
      state: 'open',
      ownerJid: '5511955500001@s.whatsapp.net',
      number: null,
      profileName: 'Ana',
      profilePicUrl: null,
    })
    expect(await gateway.findWebhook(ANA)).toEqual(WEBHOOK)
  })
})

const bytesOf = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'))

async function linked() {
  const { gateway, simulator, clock, webhooks } = wahaInProcess()
  await clock.until(gateway.createInstance({ instanceName: ANA, token: 'T', webhook: WEBHOOK }))
  await clock.until(gateway.connect(ANA))
  simulator.control.scan({ instance: ANA, ...PHONE })
  return { gateway, simulator, clock, webhooks }
}

describe('sends', () => {
  const file = { base64: 'AAAA', fileName: 'planta.png', caption: 'A planta' }

  test.each([
    ['image', 'image/png', '/api/sendImage', { filename: 'planta.png' }, { caption: 'A planta' }],
    ['video', 'video/mp4', '/api/sendVideo', { filename: 'planta.png' }, { caption: 'A planta' }],
    ['document', 'application/pdf', '/api/sendFile', { filename: 'planta.png' }, { caption: 'A planta' }],
    ['audio', 'audio/mpeg', '/api/sendFile', { filename: 'planta.png' }, { caption: 'A planta' }],
    ['voice', 'audio/ogg', '/api/sendVoice', { mimetype: 'audio/ogg; codecs=opus' }, { convert: false }],
    ['voice', 'audio/mp4', '/api/sendVoice', { mimetype: 'audio/mp4' }, { convert: true }],
  ] as const)('a %s of %s goes to %s', async (...[kind, mimeType, path, sentFile, more]) => {
    const { gateway, sent } = working({ [`POST ${path}`]: RAW })
    const media = { ...file, kind, mimeType }
    await gateway.sendMedia(ANA, { number: JID, media, delayMs: 0, quotedId: '3AA', ownId: '3EB0AB' })
    const about = { session: ANA, chatId: `${PERSON}@c.us`, reply_to: '3AA', id: '3EB0AB' }
    expect(sent()).toMatchObject([
      { path, body: { ...about, ...more, file: { mimetype: mimeType, data: 'AAAA', ...sentFile } } },
    ])
  })

  test('the prefix of a data URL does not reach WAHA, which would send broken bytes', async () => {
    const { gateway, sent } = working({ 'POST /api/sendImage': RAW })
    const media = {
      ...file,
      kind: 'image',
      mimeType: 'image/png',
      base64: 'data:image/png;base64,AAAA',
    } as const
    await gateway.sendMedia(ANA, { number: JID, media, delayMs: 0 })
    expect(sent()).toMatchObject([{ body: { file: { data: 'AAAA' } } }])
  })

  test('a place has its address in its title, and a contact its number', async () => {
    const { gateway, sent } = working({ 'POST /api/sendLocation': RAW, 'POST /api/sendContactVcard': RAW })
    const place = { latitude: -23.5, longitude: -46.6, name: 'Plantão', address: 'Rua das Flores, 10' }
    await gateway.sendLocation(ANA, { number: '88800000001@lid', place })
    await gateway.sendContact(ANA, { number: JID, name: 'Rui', phone: '5511955500777' })
    expect(sent()).toMatchObject([
      { body: { chatId: '88800000001@lid', latitude: -23.5, title: 'Plantão - Rua das Flores, 10' } },
      {
        body: { contacts: [{ fullName: 'Rui', phoneNumber: '+5511955500777', whatsappId: '5511955500777' }] },
      },
    ])
  })

  test("'digitando…' is shown for its time before the text, and its failure delays no text", async () => {
    const typing = {
      'POST /api/startTyping': { result: true },
      'POST /api/stopTyping': () => new Response('', { status: 500 }),
    }
    const { gateway, asked, clock } = working({ ...typing, 'POST /api/sendText': RAW })
    const beganMs = clock.now()
    await clock.until(gateway.sendText(ANA, { ...text, delayMs: 1_500 }))
    expect(asked.slice(1).map(({ path }) => path)).toEqual([
      '/api/startTyping',
      '/api/stopTyping',
      '/api/sendText',
    ])
    expect(clock.now() - beganMs).toBe(1_500)
  })
})

describe('links', () => {
  test('a session that is linked while its code is asked for is waited for', async () => {
    const qr = '/api/corretor_ana/auth/qr'
    const late = () => Response.json(unexpected, { status: 422 })
    const { gateway } = scripted({ [SESSION]: session('SCAN_QR_CODE', null), [`GET ${qr}`]: late })
    await expect(gateway.connect(ANA)).resolves.toEqual({ kind: 'waiting' })
  })

  test('a code to type is kept as long as the dialog shows it, because another request would void it', async () => {
    const { gateway, clock } = wahaInProcess()
    await clock.until(gateway.createInstance({ instanceName: ANA, token: 'T', webhook: WEBHOOK }))
    const code = async (number = PHONE.number) => {
      const offer = await clock.until(gateway.connect(ANA, number))
      return offer.kind === 'code' ? offer.pairingCode : offer.kind
    }
    const first = await code()
    expect(first).toMatch(/^[A-Z\d]{8}$/)
    expect(await code()).toBe(first)
    expect(await code('5511955500002')).not.toBe(first)
    clock.advance(46_000)
    expect(await code()).not.toBe(first)
  })

  test('a logout leaves the session closed, without a new code', async () => {
    const { gateway, clock } = await linked()
    await clock.until(gateway.logout(ANA))
    await clock.until(gateway.logout(ANA))
    expect(await clock.until(gateway.findInstance(ANA))).toMatchObject({ state: 'close', ownerJid: null })
    await expect(clock.until(gateway.restart(ANA))).rejects.toEqual(fault('not-linked'))
    await expect(clock.until(gateway.logout('corretor_ninguem'))).rejects.toEqual(fault('unknown-instance'))
  })

  test('a webhook that is already set is not set again, which would drop the link', async () => {
    const { gateway, clock, webhooks } = await linked()
    await clock.until(gateway.connect(ANA))
    const before = webhooks.all.length
    await clock.until(gateway.setWebhook(ANA, WEBHOOK))
    expect(webhooks.all).toHaveLength(before)
    const url = 'http://portal.test/webhook/corretor_ana/outro'
    await clock.until(gateway.setWebhook(ANA, { url }))
    expect(await clock.until(gateway.findWebhook(ANA))).toEqual({ url })
    expect(webhooks.all.slice(before).map(({ url }) => url)).toContain(url)
  })
})

describe('reading back', () => {
  test('the file of no message is downloaded, and a short page is not the last', async () => {
    const row = (id: string) => ({ id: `false_${JID}_${id}`, timestamp: 5, _data: { key: { id } } })
    const path = 'GET /api/corretor_ana/chats/all/messages'
    const { gateway, asked } = scripted({ [path]: [row('3AA'), { id: 7 }, row('3AA'), null] })
    const between = { fromSeconds: 10, toSeconds: 20 }
    await expect(gateway.findMessages(ANA, { between, page: 3, pageSize: 50 })).resolves.toEqual({
      records: [row('3AA')],
      hasMore: true,
    })
    expect(asked[0]?.path).toBe(
      '/api/corretor_ana/chats/all/messages?limit=50&offset=100&downloadMedia=false&sortOrder=desc&filter.timestamp.gte=10&filter.timestamp.lte=20',
    )
  })

  test('the phone of a hidden id is asked for, and an empty page is the last', async () => {
    const { gateway, simulator, clock } = await linked()
    const says = { instance: ANA, from: PERSON, lid: '99887766554433', addressing: 'lid' } as const
    simulator.control.receive(says)
    const find = async (page: number) =>
      clock.until(gateway.findMessages(ANA, { jid: '99887766554433@lid', page, pageSize: 10 }))
    const keys = ({ records }: Awaited<ReturnType<typeof find>>) =>
      records.map(({ _data: data }) => (data as { key: object }).key)
    expect(keys(await find(1))).toEqual([expect.not.objectContaining({ remoteJidAlt: expect.anything() })])
    simulator.control.subscriber({ number: PERSON, lid: '99887766554433' })
    expect(keys(await find(1))).toMatchObject([
      { remoteJid: '99887766554433@lid', remoteJidAlt: `${PERSON}@c.us` },
    ])
    expect(await find(2)).toEqual({ records: [], hasMore: false })
  })
})

const failed = (message: string, body: object = {}) => ({
  statusCode: 500,
  timestamp: '2026-11-28T20:42:07.929Z',
  exception: { message, name: 'Error', stack: `Error: ${message}\n at x` },
  request: { path: '/api/sendText', method: 'POST', body, query: {} },
  version: { version: '2026.7.1' },
})
const said = (statusCode: number, message: string | string[]) => ({ message, error: 'x', statusCode })
const unexpected = {
  error: 'Session status is not as expected.',
  session: ANA,
  status: 'STARTING',
  expected: ['WORKING'],
}

describe('errors', () => {
  test.each<[Operation, number, unknown, GatewayFault]>([
    ['list', 401, { message: 'Unauthorized', statusCode: 401 }, 'unauthorized'],
    ['find', 404, said(404, 'Session not found'), 'unknown-instance'],
    ['connect', 404, said(404, "We didn't find a session with name 'x'."), 'unknown-instance'],
    ['sendText', 422, { error: 'Session "x" does not exist', session: 'x' }, 'unknown-instance'],
    ['sendText', 422, unexpected, 'not-linked'],
    ['create', 422, said(422, "Session 'x' already exists. Use PUT to update it."), 'name-taken'],
    ['sendMedia', 422, said(422, 'Either "file.url" or "file.data" must be specified.'), 'refused'],
    ['fetchMedia', 404, said(404, 'Message not found'), 'refused'],
    ['fetchMedia', 404, said(404, 'ENOENT: no such file or directory'), 'refused'],
    ['findMessages', 400, said(400, 'Enable NOWEB store'), 'refused'],
    ['create', 400, said(400, ['config.webhooks.0.url must be a URL address']), 'refused'],
    ['sendReaction', 404, said(404, 'Cannot POST /api/reaction'), 'unsupported'],
    ['connect', 501, said(501, 'not implemented by this engine'), 'unsupported'],
    ['sendText', 500, failed('Connection Closed'), 'not-linked'],
    ['prepareSend', 500, failed('Connection Closed'), 'not-linked'],
    ['sendText', 500, failed('Timed Out'), 'unknown-outcome'],
    ['sendText', 500, failed('text.match is not a function'), 'unknown-outcome'],
    ['prepareSend', 500, failed('Timed Out'), 'unreachable'],
    ['findMessages', 500, failed('database is locked'), 'failed'],
    ['sendText', 502, undefined, 'unknown-outcome'],
    ['sendText', 503, Symbol('not JSON'), 'unreachable'],
    ['findMessages', 504, undefined, 'unreachable'],
    ['sendMedia', 413, undefined, 'refused'],
    ['list', 404, Symbol('not JSON'), 'unsupported'],
  ])('%s, %i: %j is %s', (...[operation, status, body, expected]) => {
    expect(DIALECT.faultOf(operation, status, body)).toBe(expected)
  })
})
