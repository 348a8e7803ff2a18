// The simulated gateway: QR codes, links, webhooks, and every fault that can be set.
import { createHmac } from 'node:crypto'
import { inflateSync } from 'node:zlib'
import { decodeQR } from 'qr/decode.js'
import { describe, expect, test } from 'vitest'
import { qrDataUrl } from '#server/whatsapp/gateway/simulator/media/qr-image.ts'
import { picture } from '#server/whatsapp/gateway/simulator/media/stock-media.ts'
import { retryDelayMs } from '#server/whatsapp/gateway/simulator/webhooks.ts'
import { inProcess, steppingClock, turns, WEBHOOK, type Delivered } from '#tests/support/gateway.ts'

const PERSON = '5511955500142'
const PHONE = { number: '5511955500001', name: 'Ana' }
const instance = 'ana'

/** An instance that shows its first code. */
async function showing(options: Parameters<typeof inProcess>[0] = {}) {
  const scenario = inProcess(options)
  const { clock, gateway } = scenario
  await clock.until(gateway.createInstance({ instanceName: instance, token: 'T-ana', webhook: WEBHOOK }))
  const offer = await clock.until(gateway.connect(instance))
  return { ...scenario, control: scenario.simulator.control, offer }
}

async function linked(options: Parameters<typeof inProcess>[0] = {}) {
  const scenario = await showing(options)
  scenario.control.scan({ instance, ...PHONE })
  // After the code's lifetime nothing else is scheduled.
  await scenario.clock.until(scenario.clock.sleep(60_000))
  scenario.webhooks.all.length = 0
  return scenario
}

const part = ({ body }: Pick<Delivered, 'body'>, name: string) =>
  body.data?.[name] as Readonly<Record<string, unknown>>

const setWebhook = ({ simulator }: ReturnType<typeof inProcess>, webhook: object) =>
  simulator.fetch('http://gateway.test/webhook/set/ana', {
    method: 'POST',
    headers: { apikey: simulator.apiKey },
    body: JSON.stringify({ webhook: { enabled: true, url: WEBHOOK.url, events: [], ...webhook } }),
  })

const send = ({ clock, gateway }: Awaited<ReturnType<typeof linked>>, text = 'oi') =>
  clock.until(gateway.sendText(instance, { number: PERSON, text, delayMs: 0 }))

describe('the code', () => {
  test('is a decodable picture of 300 x 300', () => {
    const code = `2@${'Ab3+/'.repeat(40)},x=`
    const png = Buffer.from(qrDataUrl(code).slice('data:image/png;base64,'.length), 'base64')
    const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
    expect([width, height]).toEqual([300, 300])
    const start = png.indexOf('IDAT') + 4
    const rows = inflateSync(png.subarray(start, start + png.readUInt32BE(start - 8)))
    const pixels = new Uint8Array(width * height * 3)
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++)
        pixels.fill(rows[y * (width + 1) + 1 + x] ?? 0, (y * width + x) * 3, (y * width + x) * 3 + 3)
    expect(decodeQR({ width, height, data: pixels })).toBe(code)
  })

  test('lasts 45 s and is reported each time', async () => {
    const { clock, gateway, webhooks, offer } = await showing()
    expect(offer).toMatchObject({ kind: 'code', count: 1 })
    const first = await clock.until(webhooks.first('qrcode.updated'))
    const second = await clock.until(
      webhooks.first('qrcode.updated', (delivered) => delivered.atMs > first.atMs),
    )
    expect(second.atMs - first.atMs).toBe(45_000)
    expect(await clock.until(gateway.connect(instance))).toMatchObject({ count: 2 })
  })

  test('ends at the limit: refused, closed, while the list still says connecting', async () => {
    const { clock, gateway, webhooks } = await showing()
    await clock.until(webhooks.first('connection.update', ({ body }) => body.data?.['state'] === 'refused'))
    const codes = webhooks.all.filter(({ body }) => body.event === 'qrcode.updated')
    expect(codes).toHaveLength(31)
    expect(codes.at(-1)?.body.data).toMatchObject({ statusCode: 500 })
    expect(await clock.until(gateway.linkState(instance))).toBe('close')
    expect(await clock.until(gateway.findInstance(instance))).toMatchObject({ state: 'connecting' })
    expect(await clock.until(gateway.connect(instance))).toMatchObject({ kind: 'code', count: 1 })
  })

  test('can be made to expire, to end and not to come', async () => {
    const { clock, gateway, control } = await showing()
    control.expireQr({ instance })
    expect(await clock.until(gateway.connect(instance))).toMatchObject({ count: 2 })
    control.reachQrLimit({ instance })
    expect(await clock.until(gateway.linkState(instance))).toBe('close')
    control.withholdQr({ instance, on: true })
    expect(await clock.until(gateway.connect(instance))).toEqual({ kind: 'waiting' })
    expect(() => control.scan({ instance, ...PHONE })).toThrow('ana shows no code')
  })
})

describe('the link', () => {
  test("opens with the phone reported, and stays open past a code's lifetime", async () => {
    const { clock, gateway, webhooks, control } = await showing()
    control.scan({ instance, ...PHONE })
    const opened = await clock.until(
      webhooks.first('connection.update', ({ body }) => body.data?.['state'] === 'open'),
    )
    expect(opened.body).toMatchObject({
      sender: '5511955500001@s.whatsapp.net',
      data: { wuid: '5511955500001@s.whatsapp.net', profileName: 'Ana', statusReason: 200 },
    })
    await clock.until(clock.sleep(120_000))
    expect(await clock.until(gateway.linkState(instance))).toBe('open')
  })

  test('after a drop reports connecting and open, never close', async () => {
    const { clock, webhooks, control } = await linked()
    control.dropLink({ instance, backAfterMs: 3_000 })
    await clock.until(webhooks.first('connection.update', ({ body }) => body.data?.['state'] === 'open'))
    expect(webhooks.all.map(({ body }) => body.data?.['state'])).toEqual(['connecting', 'open'])
  })

  test('after a permanent drop stays down and holds messages', async () => {
    const scenario = await linked()
    scenario.control.dropLink({ instance, backAfterMs: null })
    await scenario.clock.until(scenario.clock.sleep(600_000))
    expect(await scenario.clock.until(scenario.gateway.linkState(instance))).toBe('connecting')
    await expect(send(scenario)).rejects.toMatchObject({ fault: 'not-linked' })
  })

  test('removed on the phone reports it three times and shows codes to the next phone', async () => {
    const { clock, gateway, webhooks, control } = await linked()
    control.unlink({ instance })
    await turns()
    expect(webhooks.events()).toEqual(['status.instance', 'logout.instance', 'connection.update'])
    expect(webhooks.all.at(-1)?.body.data).toMatchObject({ state: 'close', statusReason: 401 })
    expect(await clock.until(gateway.connect(instance))).toMatchObject({ kind: 'code' })
    control.scan({ instance, number: '5511955500002', name: 'Outro celular' })
    expect(await clock.until(gateway.findInstance(instance))).toMatchObject({
      ownerJid: '5511955500002@s.whatsapp.net',
    })
  })

  test('known from before is open without a report', async () => {
    const { clock, gateway, webhooks, simulator } = inProcess()
    simulator.adopt({
      instanceName: instance,
      instanceId: 'id-de-antes',
      token: 'T',
      webhookUrl: WEBHOOK.url,
      phone: PHONE,
    })
    expect(await clock.until(gateway.findInstance(instance))).toMatchObject({
      instanceId: 'id-de-antes',
      state: 'open',
      ownerJid: '5511955500001@s.whatsapp.net',
    })
    expect(webhooks.all).toEqual([])
    simulator.control.receive({ instance, from: PERSON })
    expect(webhooks.events()).toEqual(['messages.upsert', 'contacts.upsert'])
  })
})

describe('webhooks', () => {
  test('contain media as set before the link opened', async () => {
    const scenario = await linked()
    const { clock, gateway, webhooks, control } = scenario
    const base64Of = async () => {
      const id = control.receive({ instance, from: PERSON, kind: 'image' })
      const isIt = ({ body }: { body: { data: unknown } }) => JSON.stringify(body.data).includes(id)
      const { body } = await clock.until(webhooks.first('messages.upsert', isIt))
      return part({ body }, 'message')['base64']
    }
    expect(await base64Of()).toBe(picture().base64)
    await setWebhook(scenario, { base64: false })
    expect(await base64Of()).toBe(picture().base64)
    await clock.until(gateway.restart(instance))
    expect(await base64Of()).toBeUndefined()
  })

  test('are tried ten times, at growing intervals, then dropped', async () => {
    const scenario = await linked()
    const { clock, webhooks, control } = scenario
    await setWebhook(scenario, { events: ['MESSAGES_UPSERT'] })
    webhooks.answers.push(...Array.from({ length: 20 }, () => 503))
    control.receive({ instance, from: PERSON })
    await clock.until(clock.sleep(7_200_000))
    const gaps = webhooks.all.slice(1).map(({ atMs }, index) => atMs - (webhooks.all[index]?.atMs ?? 0))
    expect(gaps).toHaveLength(9)
    const plain = [5, 10, 20, 40, 80, 160, 300, 300, 300].map((seconds) => seconds * 1_000)
    for (const [index, gap] of gaps.entries()) {
      expect(gap).toBeGreaterThanOrEqual(Math.max(5_000, (plain[index] ?? 0) * 0.8))
      expect(gap).toBeLessThanOrEqual((plain[index] ?? 0) * 1.2)
    }
    expect(clock.nextDueInMs()).toBeNull()
  })

  test('no wait is under five seconds', () => {
    const lowest = { ...steppingClock(), randomBetween: (min: number) => min }
    expect([1, 2, 9].map((attempt) => retryDelayMs(lowest, attempt))).toEqual([5_000, 8_000, 240_000])
  })

  test.each([400, 401, 403, 404, 422])('are dropped after status %i', async (status) => {
    const { clock, webhooks, control } = await linked()
    webhooks.answers.push(status)
    control.receive({ instance, from: PERSON })
    await turns()
    expect(webhooks.events()).toEqual(['messages.upsert'])
    expect(clock.nextDueInMs()).toBeNull()
  })

  test('a failing one does not delay the next', async () => {
    const scenario = await linked()
    const { clock, webhooks, control } = scenario
    await setWebhook(scenario, { events: ['MESSAGES_UPSERT'] })
    webhooks.answers.push(500)
    const ids = control.burst({ instance, from: PERSON, times: 2 })
    await clock.until(clock.sleep(10_000))
    const order = webhooks.all.map((delivered) => part(delivered, 'key')['id'])
    expect(order).toEqual([ids[0], ids[1], ids[0]])
  })

  test.each([
    ['lose', []],
    ['duplicate', ['um', 'um', 'dois', 'dois']],
    ['reorder', ['dois', 'um']],
  ] as const)('can be made to %s', async (...[kind, heard]) => {
    const scenario = await linked()
    const { webhooks, control } = scenario
    await setWebhook(scenario, { events: ['MESSAGES_UPSERT'] })
    control.webhooks({ instance, kind, count: 2 })
    for (const text of ['um', 'dois', 'três']) control.receive({ instance, from: PERSON, text })
    await turns()
    const texts = webhooks.all.map((delivered) => part(delivered, 'message')['conversation'])
    expect(texts).toEqual([...heard, 'três'])
  })

  test('can be delayed past the next one', async () => {
    const scenario = await linked()
    const { clock, webhooks, control } = scenario
    await setWebhook(scenario, { events: ['MESSAGES_UPSERT'] })
    control.webhooks({ instance, kind: 'delay', count: 1, delayMs: 4_000 })
    const ids = control.burst({ instance, from: PERSON, times: 2 })
    await clock.until(clock.sleep(4_000))
    expect(webhooks.all.map((delivered) => part(delivered, 'key')['id'])).toEqual(ids.toReversed())
  })

  test('carry the configured headers, with a token in place of the key', async () => {
    const scenario = await linked()
    const { webhooks, control } = scenario
    await setWebhook(scenario, { byEvents: true, headers: { 'x-segredo': 's', jwt_key: 'k' } })
    control.receive({ instance, from: PERSON })
    const [delivered] = webhooks.all
    expect(delivered?.url).toBe(`${WEBHOOK.url}/messages-upsert`)
    expect(delivered?.headers).toMatchObject({ 'x-segredo': 's' })
    expect(delivered?.headers).not.toHaveProperty('jwt_key')
    const [head = '', claims = '', signature] = (delivered?.headers['authorization'] ?? '')
      .slice(7)
      .split('.')
    expect(signature).toBe(createHmac('sha256', 'k').update(`${head}.${claims}`).digest('base64url'))
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({ app: 'evolution' })
  })
})
