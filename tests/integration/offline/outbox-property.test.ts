// Random histories of a phone: its changes, despite failures of network and system, have the same result as online;
// nothing lost, nothing doubled, in order for each lead.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Entry } from '#domain/outbox/command.ts'
import type { Lead } from '#domain/lead/lead.ts'
import { type LeadRow, toLater, toNext } from '#data/board/rows.ts'
import type { LeadMove } from '#data/board/moves.ts'
import type { Message } from '#domain/message/message.ts'
import { layOverMessages } from '#domain/outbox/message-overlay.ts'
import { layOverLeads } from '#domain/outbox/overlay.ts'
import { retryEntry } from '#domain/outbox/decide.ts'
import { makeContact, makeDevelopment, makeMessage } from '#tests/support/make.ts'
import { lead as leadOf, message as messageOf } from '#tests/support/make-app.ts'
import {
  burstOf,
  doSystemStep,
  FAULT,
  historyOf,
  livesOf,
  makeSent,
  makeTable,
  messageAt,
  openHistories,
  SYSTEM_STEPS,
  TEXT,
} from '#tests/support/phone-histories.ts'
import { type Fault, type Phone, type Tab } from '#tests/support/phone.ts'

const LIVES = livesOf({ seed: 20_261_121, quick: 6, deep: [1_000, 250] })
const STAGES = ['new', 'conversa', 'negociacao', 'fechado', 'arquivado']
const LEADS = 2
/** Epoch seconds, far from now. */
const FIRST_DUE = 1_830_000_000

const { base, ana, openPhone, comeToRest } = await openHistories()
/** A quick reply's file, which the broker sends with every third text. */
const file = await makeTable(base.db, ana.id)
/** Its material is sent; the other one is an interest by hand. */
const mirante = { name: 'Mirante', ...(await makeDevelopment(base.db, { name: 'Mirante' })) }
const acacias = { name: 'Acácias', ...(await makeDevelopment(base.db, { name: 'Acácias' })) }

const leadIndex = fc.nat(LEADS - 1)
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
  { weight: 2, arbitrary: fc.record({ act: fc.constant('note' as const), at: leadIndex, text: TEXT }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('rename' as const), at: leadIndex, text: TEXT }) },
  {
    weight: 2,
    arbitrary: fc.record({ act: fc.constantFrom('read' as const, 'unread' as const), at: leadIndex }),
  },
  { weight: 4, arbitrary: fc.record({ act: fc.constant('say' as const), at: leadIndex, text: TEXT }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('material' as const), at: leadIndex, text: TEXT }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('interest' as const), at: leadIndex }) },
  {
    weight: 4,
    arbitrary: fc.record({
      act: fc.constant('plan' as const),
      at: leadIndex,
      kind: fc.constantFrom('call' as const, 'message' as const, 'visit' as const, 'task' as const),
      text: TEXT,
    }),
  },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('change' as const), at: leadIndex, text: TEXT }) },
  {
    weight: 2,
    arbitrary: fc.record({ act: fc.constantFrom('putOff' as const, 'finish' as const), at: leadIndex }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('takeBack' as const), at: leadIndex }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('book' as const), at: leadIndex, text: TEXT }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('rebook' as const), at: leadIndex, text: TEXT }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('attend' as const), at: leadIndex }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('schedule' as const), at: leadIndex, text: TEXT }) },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constantFrom('reword' as const, 'unschedule' as const),
      at: leadIndex,
      text: TEXT,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ act: fc.constant('value' as const), at: leadIndex, cents: fc.nat(9) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant('react' as const),
      at: leadIndex,
      emoji: fc.constantFrom('👍', '❤️', '🙏'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('edit' as const), at: leadIndex, text: TEXT }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('delete' as const), at: leadIndex }) },
  ...SYSTEM_STEPS,
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** Within the year in which visits are allowed. */
const FIRST_VISIT = Math.floor(Date.now() / 1000) + 86_400 * 30
const FIRST_LATER = FIRST_VISIT
/** Over all histories: every visit has its own hour. */
let visits = 0
const visitAt = (due: number, place: string) => ({
  startsAtMs: due * 1000,
  place,
  confirmText: null,
  reminder: null,
})

type Plan = { kind: string; due: number; note: string }

/** The expected state of a lead. */
type Intent = {
  id: number
  stage: string
  notes: string
  name: string
  isRead: boolean
  texts: string[]
  interests: string[]
  /** What an undo reverts; only in the same tab, because a killed one does nothing more. */
  lastMove: LeadMove | null
  /** Next actions, the one due first in front; each is due a minute after the previous one. */
  plans: Plan[]
  planned: number
  /** Scheduled messages by their time; each a minute after the previous one. */
  laters: { due: number; text: string }[]
  written: number
  value: number | null
  /** The lead's message, and the broker's reaction to it; the same reaction again removes it. */
  messageId: number
  reaction: string
  /** A sent text of the broker's, and its words as the screen shows them; null: deleted. */
  sentId: number
  sentWords: string | null
  /** The undo of the last change of a next action, and the state before it. */
  lastDeed: { takeBack: () => Promise<unknown>; before: Plan[] } | null
  before: string
  /** The last change of each kind. */
  done: { move?: string; note?: string; rename?: string }
}

async function newIntent(): Promise<Intent> {
  const { id } = await makeContact(base.db, ana.instanceName, { name: 'Marina' })
  const { id: messageId } = await makeMessage(base.db, id, {
    instanceName: ana.instanceName,
    message_id: `M${id}`,
    remoteJid: '5511970000000@s.whatsapp.net',
  })
  // The database's clock decides whether WhatsApp accepts an edit. The tests change the date of this process.
  const { rows } = await base.db.query<{ at: number }>('select extract(epoch from now())::integer as at')
  const { id: sentId } = await makeSent(base.db, id, { broker: ana, timestamp: rows[0]!.at })
  return {
    id,
    stage: 'new',
    notes: '',
    name: 'Marina',
    isRead: false,
    texts: [],
    interests: [],
    lastMove: null,
    plans: [],
    planned: 0,
    laters: [],
    written: 0,
    value: null,
    messageId,
    reaction: '',
    sentId,
    sentWords: 'Visita às 10h',
    lastDeed: null,
    before: 'new',
    done: {},
  }
}

async function rowsOf(intents: readonly Intent[]): Promise<Map<number, Lead>> {
  const { rows } = await base.db.query<{
    id: number
    name: string
    notes: string | null
    status: string
    unread_count: number
    marked: boolean
    number: string
    next: LeadRow['next']
    later: LeadRow['later']
    interests: string[] | null
  }>(
    `select id, name, notes, interests, status, unread_count, marked_unread_at is not null as marked, number, next, later
     from public.whatsapp_contacts where id = any ($1::bigint[])`,
    [`{${intents.map(({ id }) => id).join(',')}}`],
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
        ...(row.marked && { isMarkedUnread: true }),
        number: row.number,
        instanceName: ana.instanceName,
        next: toNext(row.next),
        later: toLater(row.later),
        interests: row.interests,
      }),
    ]),
  )
}

const seenOf = (lead: Lead | undefined) => ({
  stage: lead?.stageSlug,
  notes: lead?.notes ?? '',
  name: lead?.name,
  isRead: lead?.unreadCount === 0,
  interests: [...(lead?.interests ?? [])].toSorted(),
  laters: lead?.later?.map(({ dueAtMs }) => (dueAtMs ?? 0) / 1000).toSorted((a, b) => a - b) ?? [],
  plans: lead?.next.map(({ kind, dueAtMs, note }) => ({ kind, due: dueAtMs / 1000, note })),
})
const wantedOf = ({ stage, notes, name, isRead, plans, laters, interests }: Intent) => ({
  stage,
  notes,
  name,
  isRead,
  plans,
  laters: laters.map(({ due }) => due),
  interests: interests.toSorted(),
})
const inOrder = (plans: Plan[]) => plans.toSorted((one, other) => one.due - other.due)

async function openLife(faults: readonly Fault[]): Promise<State> {
  const phone = await openPhone(faults)
  const intents = await Promise.all(Array.from({ length: LEADS }, newIntent))
  return { phone, intents, tab: await phone.openTab(), others: [] }
}

async function live(steps: readonly Step[], faults: readonly Fault[]): Promise<State> {
  const state = await openLife(faults)
  for (const one of steps) {
    await doStep(state, one, await seenLeads(state))
    await expectSeen(state)
  }
  await comeToRest(state)
  return state
}
type State = { phone: Phone; intents: Intent[]; tab: Tab; others: Tab[] }

async function seenLeads({ tab, intents }: State): Promise<ReadonlyMap<number, Lead>> {
  return layOverLeads(await rowsOf(intents), await tab.app.listOutbox(), { calmSinceMs: 0 })
}

/** The screen equals the expected state at every moment. */
async function expectSeen(state: State) {
  const shown = await seenLeads(state)
  const entries = await state.tab.app.listOutbox()
  for (const intent of state.intents) {
    expect(seenOf(shown.get(intent.id))).toEqual(wantedOf(intent))
    const [sent] = layOverMessages([await messageAt(base.db, intent.sentId)], entries, {
      contactId: intent.id,
    })
    expect(sent && wordsOn(sent)).toBe(intent.sentWords)
  }
}

const wordsOn = ({ content, body }: Message) => (content.kind === 'deleted' ? null : body)

async function doStep(state: State, one: Step, seen: ReadonlyMap<number, Lead>) {
  if ('at' in one) return act(state, one, seen)
  await doSystemStep(state, one, {
    onRestart: () => {
      for (const intent of state.intents) intent.lastDeed = null
    },
    onOther: (tab) => state.others.push(tab),
  })
}

async function act(
  { tab, intents }: State,
  one: Extract<Step, { at: number }>,
  seen: ReadonlyMap<number, Lead>,
) {
  const intent = intents[one.at]!
  const lead = seen.get(intent.id)!
  await tab.use(async () => {
    switch (one.act) {
      case 'move': {
        intent.before = intent.stage
        intent.stage = one.to
        intent.done.move = one.to
        intent.lastMove = await tab.app.moveLead(lead, one.to)
        return
      }
      case 'plan': {
        const plan = { kind: one.kind, due: FIRST_DUE + 60 * ++intent.planned, note: one.text }
        const before = intent.plans
        intent.plans = inOrder([...before, plan])
        const takeBack = await tab.app.saveAction(lead, {
          kind: one.kind,
          note: one.text,
          dueAtMs: plan.due * 1000,
        })
        intent.lastDeed = { takeBack, before }
        return
      }
      case 'change':
      case 'putOff':
      case 'finish': {
        const [first, ...others] = intent.plans
        const action = lead.next[0]
        if (!first || !action) return
        const before = intent.plans
        const later = { ...first, due: first.due + 30 }
        if (one.act === 'change') {
          intent.plans = [{ ...first, note: one.text }, ...others]
          const takeBack = await tab.app.saveAction(lead, { ...action, note: one.text }, action)
          intent.lastDeed = { takeBack, before }
        } else if (one.act === 'putOff') {
          intent.plans = inOrder([...others, later])
          intent.lastDeed = { takeBack: await tab.app.snoozeAction(lead, action, later.due * 1000), before }
        } else {
          intent.plans = others
          intent.lastDeed = { takeBack: await tab.app.finishAction(lead, action, 'done'), before }
        }
        return
      }
      case 'book': {
        // An hour apart, so that no two collide.
        const due = FIRST_VISIT + 3_600 * visits++
        const before = intent.plans
        intent.plans = inOrder([...before, { kind: 'visit', due, note: one.text }])
        intent.lastDeed = { takeBack: await tab.app.bookVisit(lead, visitAt(due, one.text)), before }
        return
      }
      case 'rebook':
      case 'attend': {
        // Without a coming visit, the next other action becomes one.
        const isMeant = ({ kind }: { kind: string }) => kind === 'visit'
        const [next, first] = one.act === 'rebook' ? [lead.next[0], intent.plans[0]] : []
        const visit = lead.next.find(isMeant) ?? next
        const plan = intent.plans.find(isMeant) ?? first
        if (!visit || !plan) return
        const before = intent.plans
        const others = before.filter((other) => other !== plan)
        intent.lastDeed = null
        if (one.act === 'attend') {
          intent.plans = others
          return tab.app.answerVisit(lead, visit, { outcome: 'held' })
        }
        const due = FIRST_VISIT + 3_600 * visits++
        intent.plans = inOrder([...others, { kind: 'visit', due, note: one.text }])
        intent.lastDeed = { takeBack: await tab.app.bookVisit(lead, visitAt(due, one.text), visit), before }
        return
      }
      case 'schedule': {
        const due = FIRST_LATER + 60 * ++intent.written
        const words = `${intent.written} ${one.text}`
        intent.laters = [...intent.laters, { due, text: words }]
        await tab.app.scheduleText(lead, { text: words, dueAtMs: due * 1000, unlessAnswered: true })
        return
      }
      case 'reword':
      case 'unschedule': {
        const [first, ...others] = intent.laters
        const written = lead.later?.find(({ dueAtMs }) => dueAtMs === (first?.due ?? 0) * 1000)
        if (!first || !written) return
        if (one.act === 'unschedule') {
          intent.laters = others
          return tab.app.unscheduleText(lead, written)
        }
        const words = `${first.text} ${one.text}`
        intent.laters = [{ ...first, text: words }, ...others]
        const wanted = { text: words, dueAtMs: first.due * 1000, unlessAnswered: true }
        await tab.app.scheduleText(lead, wanted, written)
        return
      }
      case 'value': {
        const before = intent.value
        intent.value = one.cents * 100
        return tab.app.saveFields(lead, { value: intent.value }, { value: before })
      }
      case 'react': {
        const before = messageOf({ id: intent.messageId, ownReaction: intent.reaction })
        intent.reaction = one.emoji === intent.reaction ? '' : one.emoji
        return tab.app.react(lead, before, one.emoji)
      }
      case 'edit': {
        // The menu of a deleted message offers nothing.
        if (intent.sentWords === null) return
        intent.sentWords = one.text
        return tab.app.editText(lead, messageOf({ id: intent.sentId }), one.text)
      }
      case 'delete': {
        if (intent.sentWords === null) return
        intent.sentWords = null
        return tab.app.deleteForAll(lead, messageOf({ id: intent.sentId }))
      }
      case 'takeBack': {
        const { lastDeed } = intent
        intent.lastDeed = null
        if (!lastDeed) return
        intent.plans = lastDeed.before
        await lastDeed.takeBack()
        return
      }
      case 'undo': {
        const { lastMove } = intent
        intent.lastMove = null
        if (!lastMove) return
        intent.stage = intent.before
        return tab.app.undoMove(lastMove)
      }
      case 'note':
        intent.notes = one.text
        intent.done.note = one.text
        return tab.app.saveNotes(lead, one.text)
      case 'rename':
        intent.name = one.text
        intent.done.rename = one.text
        return tab.app.renameLead(lead, one.text)
      case 'read':
        intent.isRead = true
        return void (await tab.app.perform({
          kind: 'lead.read',
          lead: tab.app.leadRef(lead),
          upToSeconds: 4_000_000_000,
        }))
      case 'unread':
        // The menu of an unread lead offers 'Marcar como lida'.
        if (!intent.isRead) return
        intent.isRead = false
        return tab.app.markUnread(lead)
      case 'material': {
        const at = intent.texts.length
        const [plan, photo] = [`${at} ${one.text}`, `${at + 1} ${one.text}`]
        intent.texts.push(plan, photo)
        intent.interests = [...new Set([...intent.interests, mirante.name])]
        const things = burstOf(mirante.fileId, plan, photo)
        const ofLead = tab.app.leadRef(lead)
        return void (await tab.app.perform({
          kind: 'material.send',
          lead: ofLead,
          development: mirante,
          things,
        }))
      }
      case 'interest': {
        const isAdded = !intent.interests.includes(acacias.name)
        intent.interests = isAdded
          ? [...intent.interests, acacias.name]
          : intent.interests.filter((name) => name !== acacias.name)
        return tab.app.changeInterest(lead, acacias, isAdded)
      }
      case 'say': {
        const words = `${intent.texts.length} ${one.text}`
        intent.texts.push(words)
        return void (await tab.app.perform({
          kind: 'message.send',
          lead: tab.app.leadRef(lead),
          text: words,
          quotedMessageId: null,
          ...(intent.texts.length % 3 === 0 && { file }),
        }))
      }
    }
  })
}

test(
  `${LIVES.runs} random histories end as if they had happened online`,
  async () => {
    const lives = historyOf(step)
    await fc.assert(
      fc.asyncProperty(lives, async ({ steps, faults }) => {
        const state = await live(steps, faults)
        const left = (await state.tab.app.listOutbox()).filter((entry: Entry) => entry.state !== 'applied')
        expect(left).toEqual([])
        const rows = await rowsOf(state.intents)
        for (const intent of state.intents) {
          expect(seenOf(rows.get(intent.id))).toEqual(wantedOf(intent))
          expect(await textsOf(intent.id), 'each text once, in order').toEqual(intent.texts)
          expect(await doubledMovesOf(intent.id)).toEqual([])
          expect(await latersOf(intent.id), 'each text for later once').toEqual(
            intent.laters.map(({ text: words }) => words),
          )
          expect(await valueOf(intent.id)).toBe(intent.value)
          expect(await reactionOf(intent.messageId)).toBe(intent.reaction)
          expect(wordsOn(await messageAt(base.db, intent.sentId)), 'the last edit, or the deletion').toBe(
            intent.sentWords,
          )
        }
      }),
      LIVES.options,
    )
  },
  LIVES.timeoutMs,
)

async function latersOf(contactId: number): Promise<string[]> {
  const { rows } = await base.db.query<{ body: string }>(
    `select body from portal.scheduled_messages where contact_id = $1 and state = 'waiting' order by due_at, id`,
    [contactId],
  )
  return rows.map(({ body }) => body)
}

async function valueOf(contactId: number): Promise<number | null> {
  const { rows } = await base.db.query<{ value_cents: number | null }>(
    'select value_cents from public.whatsapp_contacts where id = $1',
    [contactId],
  )
  return rows[0]?.value_cents ?? null
}

/** The current reaction with the last unsent one applied. */
async function reactionOf(messageId: number): Promise<string | null> {
  const { rows } = await base.db.query<{ shown: string; sent: string | null }>(
    `select coalesce(m.reactions #>> '{me,emoji}', '') as shown, r.emoji as sent
     from public.whatsapp_messages m left join portal.outgoing_reactions r on r.message_id = m.id where m.id = $1`,
    [messageId],
  )
  const [row] = rows
  expect(rows).toHaveLength(1)
  expect(row?.sent ?? row?.shown, 'what is sent is what is shown').toBe(row?.shown)
  return row?.shown ?? null
}

async function textsOf(contactId: number): Promise<string[]> {
  const { rows } = await base.db.query<{ body: string }>(
    `select body from public.whatsapp_messages where contact_id = $1 and type = 'outgoing'
       and message_id is distinct from 'S' || contact_id order by id`,
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

type Rival = { act: 'rival'; at: number; what: 'status' | 'notes' | 'name'; text: string; to: string }
const rival: fc.Arbitrary<Rival> = fc.record({
  act: fc.constant('rival' as const),
  at: leadIndex,
  what: fc.constantFrom('status' as const, 'notes' as const, 'name' as const),
  text: TEXT,
  to: fc.constantFrom(...STAGES),
})

test(
  `${LIVES.runs} random histories beside another device: every text once, and confirmed changes arrive`,
  async () => {
    const lives = fc.record({
      steps: fc.array(
        fc.oneof(
          { weight: 3, arbitrary: step.filter(({ act }) => act !== 'undo' && act !== 'takeBack') },
          { weight: 1, arbitrary: rival },
        ),
        { minLength: 1, maxLength: 24 },
      ),
      faults: fc.array(FAULT, { maxLength: 24 }),
    })
    await fc.assert(
      fc.asyncProperty(lives, async ({ steps, faults }) => {
        const state = await openLife(faults)
        for (const one of steps) {
          if (one.act === 'rival') await interfere(state, one)
          else await doStep(state, one, await seenLeads(state))
        }
        await insist(state)
        const entries = await state.tab.app.listOutbox()
        expect(entries.filter((entry) => entry.state !== 'applied')).toEqual([])
        for (const intent of state.intents) {
          expect(await textsOf(intent.id), 'each text once, in order').toEqual(intent.texts)
          expect(await doubledMovesOf(intent.id)).toEqual([])
        }
        await expectAllArrived(state)
      }),
      LIVES.options,
    )
  },
  LIVES.timeoutMs,
)

async function interfere({ intents }: State, { at, what, text: words, to }: Rival) {
  await base.db.query(`update public.whatsapp_contacts set ${what} = $2 where id = $1`, [
    intents[at]!.id,
    what === 'status' ? to : words,
  ])
}

/** The broker confirms each conflict, which is sent again. */
async function insist(state: State) {
  const { app, use } = state.tab
  for (let round = 0; round < 10; round++) {
    await comeToRest(state)
    const stuck = (await app.listOutbox()).filter((entry) =>
      ['conflict', 'refused', 'stale'].includes(entry.state),
    )
    if (stuck.length === 0) return
    for (const { seq } of stuck)
      await use(() => app.record((entries, stamp) => retryEntry(entries, seq, { stamp })))
  }
}

/** The last change of each kind is the current value, or was applied before another device's change. */
async function expectAllArrived({ intents }: State) {
  const rows = await rowsOf(intents)
  for (const { id, done } of intents) {
    const now = rows.get(id)
    const standing = { move: now?.stageSlug, note: now?.notes, rename: now?.name }
    for (const kind of ['move', 'note', 'rename'] as const) {
      const last = done[kind]
      if (last === undefined || standing[kind] === last) continue
      const { rows: taken } = await base.db.query(
        `select from portal.applied_operations
         where account_id = $1 and kind = $2 and (result ->> 'success')::boolean
           and coalesce(result ->> 'current', result ->> 'current_status') = $3`,
        [ana.id, `lead.${kind}`, last],
      )
      expect(taken.length, `${kind} to ${last}`).toBeGreaterThan(0)
    }
  }
}
