// The base of tests with random histories of a phone: a broker signed in at a portal, faults, and the end of each
// history.
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import * as v from 'valibot'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { COLUMNS } from '#data/messages/newest.ts'
import { MessageRow, toMessage } from '#data/messages/row.ts'
import type { Message } from '#domain/message/message.ts'
import type { MaterialThing } from '#domain/development/material.ts'
import type { ReplyFile } from '#domain/message/quick-reply.ts'
import { findHeads } from '#domain/outbox/queue.ts'
import type { Database } from '#server/db/database.ts'
import { openBase } from './database.ts'
import { makeBroker, makeMessage, makeQuickReply, type MadeBroker } from './make.ts'
import { mediaOf } from './make-app.ts'
import { byTier, onBest } from './runner/tier.ts'
import { openPhone, type Fault, type Phone, type Tab } from './phone.ts'
import { openWhatsapp } from './whatsapp.ts'

/** Besides 'none'. */
const FAULTS = [
  'dropped',
  'unanswered',
  'hanging',
  'away',
  'throttled',
  'captive',
  'expired',
] as const satisfies Fault[]

export const FAULT: fc.Arbitrary<Fault> = fc.constantFrom('none', 'none', ...FAULTS)

/** A history takes a quarter of a second, on a busy machine several. */
const LIFE_TAKES_MS = 5_000

/**
 * How many random histories a test runs and from which seed; `PROPERTY_RUNS` and `PROPERTY_SEED` choose others. `deep`:
 * on the engine that is tested best, and on the other. A failed or hanging history is reported at once, unshrunk:
 * shrinking would take hundreds of runs, and the fault would be lost in the timeout.
 */
export function livesOf({ seed, quick, deep }: { seed: number; quick: number; deep: [number, number] }) {
  const runs = Number(process.env['PROPERTY_RUNS'] ?? byTier(quick, onBest(...deep)))
  const chosen = Number(process.env['PROPERTY_SEED'] ?? seed)
  return {
    runs,
    timeoutMs: runs * LIFE_TAKES_MS,
    options: { numRuns: runs, seed: chosen, timeout: 60_000, endOnFailure: true },
  }
}

/** Short texts of random histories. */
export const TEXT = fc.stringMatching(/^[a-z]{1,6}$/)

/** Steps of the network, the time and the system, which every history takes besides its own. */
export const SYSTEM_STEPS = [
  { weight: 2, arbitrary: fc.record({ act: fc.constant('signal' as const), isUp: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('pause' as const), seconds: fc.nat(400) }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constantFrom('reload' as const, 'kill' as const) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constantFrom('otherTab' as const, 'worker' as const) }) },
] as const
type SystemStep = (typeof SYSTEM_STEPS)[number]['arbitrary'] extends fc.Arbitrary<infer T> ? T : never

/** A random history: these steps, and the faults that its requests meet in turn. */
export const historyOf = <T>(step: fc.Arbitrary<T>, minLength = 1) =>
  fc.record({
    steps: fc.array(step, { minLength, maxLength: 24 }),
    faults: fc.array(FAULT, { maxLength: 24 }),
  })

type Life = { phone: Phone; tab: Tab }
type Histories<T, S extends Life> = {
  lives: Parameters<typeof livesOf>[0]
  step: fc.Arbitrary<T>
  minLength?: number
  openLife: (faults: readonly Fault[]) => Promise<S>
  doStep: (state: S, step: T) => Promise<unknown>
  /** Checks the screen after each step. */
  expectSeen?: (state: S) => Promise<void>
  /** Checks the database once nothing waits on the phone. */
  expectStored: (state: S) => Promise<void>
}

export async function openHistories() {
  const base = await openBase()
  const whatsapp = await openWhatsapp(base.db)
  afterAll(whatsapp.close)
  resetPhones()
  const ana = await makeBroker(base.db)
  await whatsapp.setPassword(ana.username)
  const answer = await whatsapp.request('/auth/v1/token?grant_type=password', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: `${ana.username}@corretor.local`, password: 'chave-da-casa' }),
  })
  const account = { id: ana.id, token: ((await answer.json()) as { access_token: string }).access_token }

  /** The network recovers and stays up. */
  async function comeToRest({ phone, tab }: Life) {
    phone.network.isUp = true
    phone.faults.splice(0)
    for (let round = 0; round < 50; round++) {
      phone.timeOut()
      await phone.settle()
      vi.setSystemTime(Date.now() + 6 * 60_000)
      await tab.use(() => tab.app.drain('timer'))
      if (findHeads(await tab.app.listOutbox(), account.id).length === 0) return
    }
    throw new Error(
      `it never came to rest: ${JSON.stringify([await tab.app.listOutbox(), phone.requests.slice(-5)])}`,
    )
  }

  return {
    base,
    ana,
    /** A phone of the broker's, whose requests meet these faults in turn. */
    openPhone: async (faults: readonly Fault[]) => {
      const phone = await openPhone({
        fetchServer: (request) => whatsapp.portal.fetch(request, {}) as Promise<Response>,
        account,
      })
      phone.faults.push(...faults)
      return phone
    },
    comeToRest,
    /** Tests random histories, each of which ends at rest with an empty outbox. */
    testHistories: <T, S extends Life>(
      title: string,
      { lives, step, minLength, openLife, doStep, expectSeen, expectStored }: Histories<T, S>,
    ) => {
      const { runs, options, timeoutMs } = livesOf(lives)
      const history = historyOf(step, minLength)
      test(
        `${runs} random histories ${title}`,
        () =>
          fc.assert(
            fc.asyncProperty(history, async ({ steps, faults }) => {
              const state = await openLife(faults)
              for (const one of steps) {
                await doStep(state, one)
                await expectSeen?.(state)
              }
              await comeToRest(state)
              const left = (await state.tab.app.listOutbox()).filter((entry) => entry.state !== 'applied')
              expect(left).toEqual([])
              await expectStored(state)
            }),
            options,
          ),
        timeoutMs,
      )
    },
  }
}

/** Each test has a date of its own, and the browser's interfaces as they were. */
function resetPhones() {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] })
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
    for (const part of ['#api/network.ts', '#api/stored-session.ts', '#api/own-token.ts']) vi.doUnmock(part)
  })
}

/** A message as the server has it. */
export async function messageAt(db: Database, id: number): Promise<Message> {
  const { rows } = await db.query<{ row: unknown }>(
    `select to_jsonb(m) as row from (select ${COLUMNS} from public.whatsapp_messages where id = $1) m`,
    [id],
  )
  return toMessage(v.parse(MessageRow, rows[0]?.row))
}

/** A text that the broker sent at `timestamp`. It may be edited for a while. Its id is 'S' and the lead's id. */
export const makeSent = (
  db: Database,
  contactId: number,
  { broker: { instanceName }, timestamp }: { broker: MadeBroker; timestamp: number },
) =>
  makeMessage(db, contactId, {
    instanceName,
    message_id: `S${contactId}`,
    remoteJid: '5511970000000@s.whatsapp.net',
    type: 'outgoing',
    delivery: 'read',
    body: 'Visita às 10h',
    timestamp,
  })

/** A broker's quick reply with a file, as the app chooses it. */
export async function makeTable(db: Database, brokerId: string): Promise<ReplyFile> {
  const mediaId = 'a'.repeat(64)
  const media = { mimeType: 'application/pdf', fileName: 'tabela.pdf', sizeBytes: 310 }
  const file = JSON.stringify({ kind: 'document', content: { mediaId, ...media, isVoice: false } })
  const { id } = await makeQuickReply(db, brokerId, { file })
  return { quickReplyId: id, mediaId, kind: 'document', media: mediaOf(media) }
}

/** Material of a development as the app sends it: a plan without a drawing, and a photo with its caption. */
export const burstOf = (fileId: number, plan: string, caption: string): MaterialThing[] => [
  { operationId: randomUUID(), fileId: null, text: plan, label: 'Planta', content: { kind: 'text' } },
  {
    operationId: randomUUID(),
    fileId,
    text: caption,
    label: 'Fachada',
    content: {
      kind: 'image',
      media: mediaOf({ mimeType: 'image/jpeg' }),
    },
  },
]

type Moment = { phone: Phone; tab: Tab }

/** `onRestart` runs when the tab is gone, with the toast that could undo; `onOther` gets a tab opened beside it. */
export async function doSystemStep(
  state: Moment,
  one: SystemStep,
  { onRestart, onOther }: { onRestart?: () => void; onOther?: (tab: Tab) => void } = {},
): Promise<void> {
  const { phone, tab } = state
  switch (one.act) {
    case 'signal':
      phone.network.isUp = one.isUp
      if (one.isUp) void tab.use(() => tab.app.drain('online'))
      return
    case 'pause':
      phone.timeOut()
      vi.setSystemTime(Date.now() + one.seconds * 1000)
      void tab.use(() => tab.app.drain('timer'))
      return phone.settle()
    case 'reload':
    case 'kill':
      if (one.act === 'reload') await phone.settle()
      tab.kill()
      onRestart?.()
      state.tab = await phone.openTab()
      void state.tab.use(() => state.tab.app.drain('start'))
      return
    default: {
      const other = await phone.openTab()
      onOther?.(other)
      void other.use(() => other.app.drain(one.act === 'worker' ? 'sync' : 'start'))
    }
  }
}
