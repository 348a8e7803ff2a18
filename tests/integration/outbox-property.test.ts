// Random lives of a phone: what is done on it, whatever the network and the system do meanwhile, ends as the same things done
// online; nothing lost, nothing doubled, in order for each lead (PRODUCT.md 4.4).
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Entry } from '#domain/command.ts'
import type { Lead } from '#domain/lead.ts'
import { layOverLeads } from '#domain/overlay.ts'
import { heads } from '#domain/queue.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { openLine, type TestLine } from '#tests/support/line.ts'
import { makeBroker, makeContact, makeMessage, type MadeBroker } from '#tests/support/make.ts'
import { lead as leadOf } from '#tests/support/make-app.ts'
import { openPhone, type Fault, type Phone, type Tab } from '#tests/support/phone.ts'

/** `PROPERTY_RUNS=1000` runs as many as asked for; this is what every build can wait for. */
const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 200)
const SEED = 20_261_121
const STAGES = ['new', 'conversa', 'negociacao', 'fechado', 'arquivado']
const LEADS = 2

let base: TestDatabase
let line: TestLine
let ana: MadeBroker
let account: { id: string; token: string }
beforeAll(async () => {
  base = await openTestDatabase('migrated')
  line = await openLine(base.db)
  ana = await makeBroker(base.db)
  await line.setPassword(ana.username)
  const answer = await line.request('/auth/v1/token?grant_type=password', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: `${ana.username}@corretor.local`, password: 'chave-da-casa' }),
  })
  account = { id: ana.id, token: ((await answer.json()) as { access_token: string }).access_token }
})
afterAll(async () => {
  await line.close()
  await base.close()
})
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.doUnmock('#api/network.ts')
  vi.doUnmock('#api/stored-session.ts')
  vi.doUnmock('#api/own-token.ts')
})

const leadIndex = fc.nat(LEADS - 1)
const text = fc.stringMatching(/^[a-z]{1,6}$/)
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      act: fc.constant('move' as const),
      at: leadIndex,
      to: fc.constantFrom(...STAGES),
    }),
  },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('undo' as const), at: leadIndex }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('note' as const), at: leadIndex, text }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('rename' as const), at: leadIndex, text }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('read' as const), at: leadIndex }) },
  { weight: 4, arbitrary: fc.record({ act: fc.constant('say' as const), at: leadIndex, text }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('signal' as const), isUp: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('pause' as const), seconds: fc.nat(400) }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constantFrom('reload' as const, 'kill' as const) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constantFrom('otherTab' as const, 'worker' as const) }) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never
const fault: fc.Arbitrary<Fault> = fc.constantFrom(
  'none',
  'none',
  'none',
  'dropped',
  'unanswered',
  'hanging',
  'away',
  'throttled',
  'captive',
  'expired',
)

/** What the person wants and sees, by lead. */
type Wish = {
  id: number
  stage: string
  notes: string
  name: string
  isRead: boolean
  texts: string[]
  undo: (() => Promise<void>) | null
  before: string
}

async function newWish(): Promise<Wish> {
  const { id } = await makeContact(base.db, ana.instanceName, { name: 'Marina' })
  await makeMessage(base.db, id, { instanceName: ana.instanceName })
  return { id, stage: 'new', notes: '', name: 'Marina', isRead: false, texts: [], undo: null, before: 'new' }
}

async function rowsOf(wishes: readonly Wish[]): Promise<Map<number, Lead>> {
  const { rows } = await base.db.query<{
    id: number
    name: string
    notes: string | null
    status: string
    unread_count: number
    number: string
  }>(
    `select id, name, notes, status, unread_count, number from public.whatsapp_contacts where id = any ($1::bigint[])`,
    [`{${wishes.map(({ id }) => id).join(',')}}`],
  )
  return new Map(
    rows.map((row) => [
      row.id,
      leadOf({
        id: row.id,
        name: row.name,
        notes: row.notes,
        stageSlug: row.status,
        unreadCount: row.unread_count,
        number: row.number,
        instanceName: ana.instanceName,
      }),
    ]),
  )
}

const seenOf = (lead: Lead | undefined) => ({
  stage: lead?.stageSlug,
  notes: lead?.notes ?? '',
  name: lead?.name,
  isRead: lead?.unreadCount === 0,
})
const wantedOf = ({ stage, notes, name, isRead }: Wish) => ({ stage, notes, name, isRead })

async function live(steps: readonly Step[], faults: readonly Fault[]) {
  const phone = await openPhone({
    fetchServer: (request) => line.portal.fetch(request, {}) as Promise<Response>,
    account,
  })
  phone.faults.push(...faults)
  const wishes = await Promise.all(Array.from({ length: LEADS }, newWish))
  const state = { phone, wishes, tab: await phone.openTab(), others: [] as Tab[] }
  for (const one of steps) {
    await doStep(state, one)
    await expectSeen(state)
  }
  await comeToRest(state)
  return state
}
type State = { phone: Phone; wishes: Wish[]; tab: Tab; others: Tab[] }

/** The screen is what was done, at every moment. */
async function expectSeen({ tab, wishes }: State) {
  const [rows, entries] = [await rowsOf(wishes), await tab.app.listOutbox()]
  const shown = layOverLeads(rows, entries, 0)
  for (const wish of wishes) expect(seenOf(shown.get(wish.id))).toEqual(wantedOf(wish))
}

async function doStep(state: State, one: Step) {
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
      state.tab = await phone.openTab()
      void state.tab.use(() => state.tab.app.drain('start'))
      return
    case 'otherTab':
    case 'worker': {
      const other = await phone.openTab()
      state.others.push(other)
      void other.use(() => other.app.drain(one.act === 'worker' ? 'sync' : 'start'))
      return
    }
    default:
      return act(state, one)
  }
}

async function act({ tab, wishes }: State, one: Extract<Step, { at: number }>) {
  const wish = wishes[one.at]!
  const lead = leadOf({
    id: wish.id,
    instanceName: ana.instanceName,
    stageSlug: wish.stage,
    notes: wish.notes || null,
    name: wish.name,
  })
  await tab.use(async () => {
    switch (one.act) {
      case 'move': {
        wish.before = wish.stage
        wish.stage = one.to
        const move = await tab.app.moveLead(lead, one.to)
        wish.undo = () => tab.app.undoMove(move)
        return
      }
      case 'undo': {
        const { undo } = wish
        wish.undo = null
        if (!undo) return
        wish.stage = wish.before
        return undo()
      }
      case 'note':
        wish.notes = one.text
        return tab.app.saveNotes(lead, one.text)
      case 'rename':
        wish.name = one.text
        return tab.app.renameLead(lead, one.text)
      case 'read':
        wish.isRead = true
        return void (await tab.app.perform({
          kind: 'lead.read',
          lead: tab.app.leadRef(lead),
          upToSeconds: 4_000_000_000,
        }))
      case 'say': {
        const words = `${wish.texts.length} ${one.text}`
        wish.texts.push(words)
        return void (await tab.app.perform({
          kind: 'message.send',
          lead: tab.app.leadRef(lead),
          text: words,
          quotedMessageId: null,
        }))
      }
    }
  })
}

/** The network is good again and stays so; a person who is asked about old texts says yes. */
async function comeToRest({ phone, tab }: State) {
  phone.network.isUp = true
  phone.faults.splice(0)
  for (let round = 0; round < 50; round++) {
    phone.timeOut()
    await phone.settle()
    vi.setSystemTime(Date.now() + 6 * 60_000)
    await tab.use(() => tab.app.drain('timer'))
    if (heads(await tab.app.listOutbox(), account.id).length === 0) return
  }
  throw new Error(
    `it never came to rest: ${JSON.stringify([await tab.app.listOutbox(), phone.requests.slice(-5)])}`,
  )
}

test(
  `${RUNS} random lives end as if they had been lived online`,
  async () => {
    const lives = fc.record({
      steps: fc.array(step, { minLength: 1, maxLength: 24 }),
      faults: fc.array(fault, { maxLength: 24 }),
    })
    await fc.assert(
      fc.asyncProperty(lives, async ({ steps, faults }) => {
        const state = await live(steps, faults)
        const left = (await state.tab.app.listOutbox()).filter((entry: Entry) => entry.state !== 'applied')
        expect(left).toEqual([])
        const rows = await rowsOf(state.wishes)
        for (const wish of state.wishes) {
          expect(seenOf(rows.get(wish.id))).toEqual(wantedOf(wish))
          expect(await textsOf(wish.id), 'each text once, in order').toEqual(wish.texts)
          expect(await doubledMovesOf(wish.id)).toEqual([])
        }
      }),
      { numRuns: RUNS, seed: SEED },
    )
  },
  RUNS * 2_000,
)

async function textsOf(contactId: number): Promise<string[]> {
  const { rows } = await base.db.query<{ body: string }>(
    `select body from public.whatsapp_messages where contact_id = $1 and type = 'outgoing' order by id`,
    [contactId],
  )
  return rows.map(({ body }) => body)
}

async function doubledMovesOf(contactId: number) {
  const { rows } = await base.db.query(
    `select operation_id from portal.stage_history where contact_id = $1 and operation_id is not null
     group by operation_id having count(*) > 1`,
    [contactId],
  )
  return rows
}
