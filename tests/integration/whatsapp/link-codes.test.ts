// Codes to scan: a former link's code is never shown, and a code's number counts within one link.
import { beforeEach, expect, test } from 'vitest'
import { createLinks, type Links } from '#server/whatsapp/connection/connection.ts'
import type { Gateway, LinkOffer, LinkState } from '#server/gateway.ts'
import { databaseClock } from '#tests/support/clock.ts'
import { openBase } from '#tests/support/database.ts'
import { silentLog } from '#tests/support/gateway.ts'
import { makeBroker } from '#tests/support/make.ts'

const base = await openBase()

/** A gateway that keeps the last code in memory over links, and keeps counting, like 2.3.7. */
function forgetfulGateway(instanceName: string) {
  const memory: { state: LinkState; code: { text: string; count: number } | null } = {
    state: 'close',
    code: null,
  }
  const cuts: string[] = []
  const gateway = {
    findInstance: () => Promise.resolve({ instanceName, instanceId: 'i', state: memory.state }),
    linkState: () => Promise.resolve(memory.state),
    setWebhook: () => Promise.resolve(),
    logout: () => {
      cuts.push(memory.code?.text ?? '')
      memory.state = 'close'
      return Promise.resolve()
    },
    connect: (): Promise<LinkOffer> => {
      memory.state = 'connecting'
      const { code } = memory
      if (!code) return Promise.resolve({ kind: 'waiting' })
      return Promise.resolve({
        kind: 'code',
        qrImage: `data:image/png;base64,${code.text}`,
        qrText: code.text,
        pairingCode: null,
        count: code.count,
      })
    },
  } as unknown as Gateway
  return {
    gateway,
    memory,
    cuts,
    makes: (text: string, count: number) => {
      memory.code = { text, count }
    },
  }
}

let phone: ReturnType<typeof forgetfulGateway>
let links: Links
let instanceName: string
beforeEach(async () => {
  ;({ instanceName } = await makeBroker(base.db))
  phone = forgetfulGateway(instanceName)
  links = createLinks({
    db: base.db,
    clock: databaseClock(),
    log: silentLog,
    gateway: phone.gateway,
    webhookBase: () => 'http://portal',
    mintWebhookSecret: () => Promise.resolve('secret'),
    isKnown: () => Promise.resolve(false),
    isAway: () => false,
    moves: { look: () => Promise.resolve(), continue: () => Promise.resolve(null) },
  })
})
const shown = async (number?: string) => {
  const offer = await links.connect(instanceName, number)
  return offer.kind === 'code' ? [offer.image.split(',')[1], offer.count, offer.limit] : offer.kind
}
/** The gateway reports a code by itself. */
const tells = (text: string, count: number) =>
  base.db.query('select portal.apply_qr($1, $2::jsonb)', [
    instanceName,
    JSON.stringify({ image: '', text, isLimit: false, count, atMs: Date.now() }),
  ])

test("an ended link's code is not shown for the next one, whose codes count from one", async () => {
  phone.makes('um', 1)
  expect(await shown()).toEqual(['um', 1, 30])
  phone.makes('dois', 2)
  expect(await shown()).toEqual(['dois', 2, 30])
  phone.memory.state = 'close'
  expect(await shown()).toBe('waiting')
  expect(await shown()).toBe('waiting')
  phone.makes('três', 3)
  expect(await shown()).toEqual(['três', 1, 30])
  phone.makes('quatro', 4)
  expect(await shown()).toEqual(['quatro', 2, 30])
})

test('nor is a code that was reported while no screen was open', async () => {
  phone.makes('um', 1)
  await shown()
  phone.makes('sete', 7)
  await tells('sete', 7)
  phone.memory.state = 'close'
  expect(await shown()).toBe('waiting')
  phone.makes('oito', 8)
  expect(await shown()).toEqual(['oito', 1, 30])
})

test('a link restarted for a typed code drops its own, shown or not', async () => {
  phone.makes('um', 1)
  await shown()
  // This one was not reported.
  phone.makes('cinco', 5)
  expect(await shown('5511955550101')).toBe('waiting')
  expect(phone.cuts).toEqual(['cinco'])
  phone.makes('seis', 6)
  expect(await shown('5511955550101')).toEqual(['seis', 1, 30])
})

test('a gateway that counts from one again is followed', async () => {
  phone.makes('um', 29)
  await shown()
  phone.memory.state = 'close'
  await shown()
  phone.makes('novo', 1)
  expect(await shown()).toEqual(['novo', 1, 30])
  for (const count of [2, 29, 30]) {
    phone.makes(`novo ${count}`, count)
    expect(await shown()).toEqual([`novo ${count}`, count, 30])
  }
})
