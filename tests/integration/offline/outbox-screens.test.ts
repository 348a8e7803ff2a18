// Random offline lives of a phone: its screens hold what was read earlier, with the outbox on top, and are true at
// every moment. At the end they equal the database, before and after they are read again.
import fc from 'fast-check'
import * as v from 'valibot'
import { expect, test, vi } from 'vitest'
import { applyBoardDelta, type Board, BoardDelta } from '#data/board/rows.ts'
import { layOverBoard } from '#data/board/overlay.ts'
import type { TakeBack } from '#data/deeds.ts'
import { COLUMNS } from '#data/messages/newest.ts'
import { MessageRow, toMessage } from '#data/messages/row.ts'
import type { Lead } from '#domain/lead/lead.ts'
import type { Message } from '#domain/message/message.ts'
import { type Entry, isOfConversation } from '#domain/outbox/command.ts'
import { isChangeRead, isTextRead, layOverMessages } from '#domain/outbox/message-overlay.ts'
import { asUser } from '#server/db/as-user.ts'
import { makeContact, makeDevelopment, makeMessage, signIn } from '#tests/support/make.ts'
import { message as messageOf } from '#tests/support/make-app.ts'
import {
  burstOf,
  doSystemStep,
  historyOf,
  livesOf,
  makeSent,
  makeTable,
  openHistories,
  SYSTEM_STEPS,
  TEXT,
} from '#tests/support/phone-histories.ts'
import type { Fault, Phone, Tab } from '#tests/support/phone.ts'

const LIVES = livesOf({ seed: 20_261_130, quick: 6, deep: [1_000, 250] })
const PEOPLE = 2
const STAGES = ['new', 'conversa', 'fechado', 'arquivado']

const { base, ana, openPhone, comeToRest } = await openHistories()
const asAna = await signIn(base.db, ana)
const file = await makeTable(base.db, ana.id)
const mirante = { name: 'Mirante', ...(await makeDevelopment(base.db, { name: 'Mirante' })) }

const at = fc.nat(PEOPLE - 1)
/** A deed of the broker's, named as `DEEDS` has it. */
const deed = (act: keyof typeof DEEDS, weight: number) => ({
  weight,
  arbitrary: fc.record({ act: fc.constant(act), at, text: TEXT, pick: fc.nat(9) }),
})

/**
 * `texts`: what the broker said in this life, in order. `sentId`: a text sent before it, which is edited or deleted.
 */
type Person = {
  id: number
  texts: string[]
  sentId: number
  sentWords: string | null
  /** Booked in this life, and the undo. `told`: whether the undo offers to tell the lead. */
  visits: { confirmation: string; undo: TakeBack | null; told: boolean }[]
  /** The conversation as last read on this device; null: never. */
  read: { messages: readonly Message[]; atMs: number } | null
  /** Since the board was read, the database made messages that this device does not know. */
  isBehind: boolean
}
type State = { phone: Phone; people: Person[]; tab: Tab; board: Board }
type Around = { state: State; tab: Tab; person: Person; lead: Lead; text: string; pick: number }

let visits = 0
/** The database keeps whole seconds. */
const FIRST_VISIT_MS = Math.floor(Date.now() / 1000) * 1000 + 86_400_000 * 30

const DEEDS = {
  say: async ({ tab, lead, person, text }: Around) => {
    const words = `${person.texts.length} ${text}`
    person.texts.push(words)
    const withFile = person.texts.length % 3 === 0 && { file }
    const command = { kind: 'message.send', lead: tab.app.leadRef(lead), text: words, ...withFile } as const
    await tab.app.perform({ ...command, quotedMessageId: null })
  },
  material: async ({ tab, lead, person, text }: Around) => {
    const [plan, photo] = [`${person.texts.length} ${text}`, `${person.texts.length + 1} ${text}`]
    person.texts.push(plan, photo)
    const things = burstOf(mirante.fileId, plan, photo)
    await tab.app.perform({
      kind: 'material.send',
      lead: tab.app.leadRef(lead),
      development: mirante,
      things,
    })
  },
  edit: async ({ tab, lead, person, text }: Around) => {
    if (person.sentWords === null) return
    person.sentWords = text
    await tab.app.editText(lead, messageOf({ id: person.sentId }), text)
  },
  delete: async ({ tab, lead, person }: Around) => {
    if (person.sentWords === null) return
    person.sentWords = null
    await tab.app.deleteForAll(lead, messageOf({ id: person.sentId }))
  },
  /** Half of the visits are confirmed to the lead, some move the coming one. */
  book: async ({ tab, lead, person, text, pick }: Around) => {
    const startsAtMs = FIRST_VISIT_MS + 3_600_000 * visits++
    const confirmation = `Visita ${startsAtMs}`
    const before = pick % 3 === 0 ? (lead.next.find(({ kind }) => kind === 'visit') ?? null) : null
    const confirmText = pick % 2 ? confirmation : null
    if (confirmText) person.isBehind = true
    const wanted = { startsAtMs, place: text, confirmText, reminder: null }
    const undo = await tab.app.bookVisit(lead, wanted, before)
    person.visits.push({ confirmation, undo, told: false })
  },
  undoVisit: async ({ tab, person }: Around) => {
    const booked = person.visits.at(-1)
    if (!booked?.undo) return
    const { undo } = booked
    booked.undo = null
    const undone = await undo()
    booked.told = undone !== null && (await tab.app.mayBeConfirmed(undone))
  },
  move: async ({ tab, lead, pick }: Around) => {
    await tab.app.moveLead(lead, STAGES[pick % STAGES.length]!)
  },
  unread: ({ tab, lead }: Around) => tab.app.toggleUnread(lead),
  /** The conversation is opened: it is read again if the network allows, and what it shows is marked as read. */
  open: async ({ state, tab, lead, person }: Around) => {
    if (state.phone.network.isUp) await readConversation(state, person)
    const shown = await conversationOf(state, person)
    const newest = shown.findLast(({ direction, isRead }) => direction === 'incoming' && !isRead)
    if (newest || lead.isMarkedUnread) await tab.app.markRead(lead.id, newest?.sentAtSeconds ?? 0)
  },
  pull: async ({ state }: Around) => {
    if (state.phone.network.isUp) await pull(state)
  },
  /** The lead writes. */
  hear: async ({ person, text }: Around) => {
    await makeMessage(base.db, person.id, {
      instanceName: ana.instanceName,
      body: text,
      timestamp: nowOfServer(),
    })
    person.isBehind = true
  },
}

/** The server's clock does not follow the test's. */
const START = performance.now()
const STARTED_AT = Date.now()
const nowOfServer = () => Math.floor((STARTED_AT + performance.now() - START) / 1000)

const step = fc.oneof(
  deed('say', 4),
  deed('material', 2),
  deed('edit', 2),
  deed('delete', 1),
  deed('book', 3),
  deed('undoVisit', 3),
  deed('move', 2),
  deed('unread', 2),
  deed('open', 3),
  deed('pull', 3),
  deed('hear', 2),
  ...SYSTEM_STEPS,
)

async function openLife(faults: readonly Fault[]): Promise<State> {
  vi.setSystemTime(nowOfServer() * 1000)
  const phone = await openPhone(faults)
  const people: Person[] = []
  for (let n = 0; n < PEOPLE; n++) {
    const { id } = await makeContact(base.db, ana.instanceName, { name: 'Marina' })
    const { id: sentId } = await makeSent(base.db, id, { broker: ana, timestamp: nowOfServer() })
    const known = { sentId, sentWords: 'Visita às 10h', texts: [], visits: [], read: null, isBehind: false }
    people.push({ id, ...known })
  }
  const state = { phone, people, tab: await phone.openTab(), board: await readBoard() }
  // The first conversation was opened on this device, the other one never.
  await readConversation(state, people[0]!)
  return state
}

async function readBoard(): Promise<Board> {
  const { rows } = await asUser(base.db, asAna, (query) =>
    query<{ delta: unknown }>('select public.sync_board($1, null) as delta', [ana.instanceName]),
  )
  return applyBoardDelta(undefined, v.parse(BoardDelta, rows[0]?.delta), Date.now())
}

/** As the app does after a pull: entries whose result the board has are removed. */
async function pull(state: State) {
  state.board = await readBoard()
  for (const person of state.people) person.isBehind = false
  const { askedAtMs } = state.board
  await forget(
    state,
    (entry) => !isOfConversation(entry.command) && (entry.appliedAtMs ?? Infinity) < askedAtMs,
  )
}

async function messagesOf({ id }: Person): Promise<Message[]> {
  const { rows } = await base.db.query<{ row: unknown }>(
    `select to_jsonb(m) as row from (select ${COLUMNS} from public.whatsapp_messages where contact_id = $1
       order by timestamp, id) m`,
    [id],
  )
  return rows.map(({ row }) => toMessage(v.parse(MessageRow, row)))
}

/** As the app does once a conversation is read. */
async function readConversation(state: State, person: Person) {
  const messages = await messagesOf(person)
  const atMs = Date.now()
  person.read = { messages, atMs }
  const entries = await state.tab.app.listOutbox()
  await forget(
    state,
    (entry) =>
      entry.command.lead.id === person.id &&
      (isTextRead(entry, messages, state.board.askedAtMs) ||
        isChangeRead(entry, { messages, entries, readAtMs: atMs })),
  )
}

const forget = ({ tab }: State, isOver: (entry: Entry) => boolean) =>
  tab.use(() => tab.app.changeOutbox((entries) => entries.filter((entry) => !isOver(entry))))

/** The board on the screen. */
async function boardOf({ tab, board }: State): Promise<ReadonlyMap<number, Lead>> {
  return layOverBoard(board, { entries: await tab.app.listOutbox(), calmSinceMs: 0 }).leads
}

/** The conversation on the screen; one that was never read shows its card's last message. */
async function conversationOf({ tab, board }: State, { id, read }: Person): Promise<readonly Message[]> {
  const { lastMessage: last, unreadCount } = board.leads.get(id)!
  const card = last
    ? [
        messageOf({
          ...last,
          id: last.id ?? 0,
          operationId: last.operation ?? null,
          isRead: unreadCount === 0,
        }),
      ]
    : []
  return layOverMessages(read?.messages ?? card, await tab.app.listOutbox(), { contactId: id, ofCard: !read })
}

const wordsOn = ({ content, body }: Message) => (content.kind === 'deleted' ? null : body)
const isSaid = ({ direction, id, body }: Message, { sentId }: Person) =>
  direction === 'outgoing' && id !== sentId && !body.startsWith('Visita ')

async function expectTrue(state: State) {
  const entries = await state.tab.app.listOutbox()
  const waiting = new Set(
    entries.flatMap(({ id, state: is, command }) =>
      is === 'applied'
        ? []
        : command.kind === 'material.send'
          ? command.things.map((one) => one.operationId)
          : [id],
    ),
  )
  for (const person of state.people) {
    const shown = await conversationOf(state, person)
    const said = shown.filter((message) => isSaid(message, person))
    expect(
      said.map(({ body }) => body),
      'each text once, in order',
    ).toEqual(person.texts)
    const queued = shown.filter(({ id, delivery }) => id < 0 && delivery === 'queued')
    expect(
      queued.filter(({ operationId }) => !waiting.has(operationId ?? '')),
      'queued, though sent',
    ).toEqual([])
    const sent = shown.find(({ id }) => id === person.sentId)
    if (person.read) expect(sent && wordsOn(sent), 'the text as edited last').toBe(person.sentWords)
  }
}

/** What a card says of a lead. */
const cardOf = (lead: Lead | undefined) =>
  lead && {
    stage: lead.stageSlug,
    unread: [lead.unreadCount, lead.isMarkedUnread ?? false],
    isWaiting: lead.waitingSinceMs !== null,
    next: lead.next.map(({ kind, dueAtMs, note }) => ({ kind, dueAtMs, note })),
    interests: [...(lead.interests ?? [])],
    development: lead.development,
    last: lead.lastMessage?.body,
    isPending: lead.waiting !== null,
  }

/** All of the broker's deeds have arrived: the screens equal the database, before and after they are read again. */
async function expectEqual(state: State) {
  await expectTrue(state)
  const shown = await boardOf(state)
  const { leads } = await readBoard()
  for (const { id, isBehind } of state.people)
    if (!isBehind)
      expect(cardOf(shown.get(id)), 'before the board is read again').toEqual(cardOf(leads.get(id)))
  vi.setSystemTime(Date.now() + 10_000)
  await pull(state)
  for (const person of state.people) await readConversation(state, person)
  expect(await state.tab.app.listOutbox()).toEqual([])
  const again = await boardOf(state)
  for (const person of state.people) {
    expect(again.get(person.id)).toEqual(leads.get(person.id))
    expect(await conversationOf(state, person)).toEqual(await messagesOf(person))
    await expectVisitsTold(person, again.get(person.id)!)
  }
  await expectTrue(state)
}

/** No lead has the confirmation of a visit that will not be, unless the broker was offered to say so. */
async function expectVisitsTold(person: Person, { next }: Lead) {
  const confirmed = new Set((await messagesOf(person)).map(({ body }) => body))
  for (const { confirmation, undo, told } of person.visits) {
    const isComing = next.some(({ dueAtMs }) => `Visita ${dueAtMs}` === confirmation)
    if (undo === null && !told) expect(isComing, 'undone before it was sent').toBe(false)
    if (undo === null && confirmed.has(confirmation))
      expect(told, 'the undo offers to tell the lead').toBe(true)
  }
}

test(
  `the screens of ${LIVES.runs} random lives show nothing untrue`,
  async () => {
    await fc.assert(
      fc.asyncProperty(historyOf(step), async ({ steps, faults }) => {
        const state = await openLife(faults)
        for (const one of steps) {
          if ('at' in one) {
            const { tab } = state
            const person = state.people[one.at]!
            const lead = (await boardOf(state)).get(person.id)!
            await tab.use(() => DEEDS[one.act]({ ...one, state, tab, person, lead }))
          } else
            await doSystemStep(state, one, {
              onRestart: () => state.people.forEach(({ visits: booked }) => booked.pop()),
            })
          await expectTrue(state)
        }
        await comeToRest(state)
        await expectEqual(state)
      }),
      LIVES.options,
    )
  },
  LIVES.timeoutMs,
)
