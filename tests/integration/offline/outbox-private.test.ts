// Random histories of a phone that marks and unmarks private contacts: despite failures of network and system, each
// ends in its last state, with all earlier changes.
import fc from 'fast-check'
import { expect } from 'vitest'
import type { Lead } from '#domain/lead/lead.ts'
import { layOverLeads } from '#domain/outbox/overlay.ts'
import { makeContact } from '#tests/support/make.ts'
import { lead as leadOf } from '#tests/support/make-app.ts'
import { doSystemStep, openHistories, SYSTEM_STEPS, TEXT } from '#tests/support/phone-histories.ts'
import { type Fault, type Phone, type Tab } from '#tests/support/phone.ts'

const PEOPLE = 2

const { base, ana, openPhone, testHistories } = await openHistories()

const at = fc.nat(PEOPLE - 1)
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ act: fc.constant('mark' as const), at }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('undo' as const), at }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('back' as const), at }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('say' as const), at, text: TEXT }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('note' as const), at, text: TEXT }) },
  ...SYSTEM_STEPS,
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** `undo` is the toast's, and works while its tab is open. */
type Person = {
  lead: Lead
  isPrivate: boolean
  note: string
  texts: string[]
  undo: (() => Promise<void>) | null
}
type State = { phone: Phone; people: Person[]; tab: Tab }

async function openLife(faults: readonly Fault[]): Promise<State> {
  await base.db.exec('delete from portal.first_text_days')
  const phone = await openPhone(faults)
  const people: Person[] = []
  for (let n = 0; n < PEOPLE; n++) {
    const { id, number } = await makeContact(base.db, ana.instanceName, { name: 'Célia' })
    const lead = leadOf({ id, number, name: 'Célia', instanceName: ana.instanceName, stageSlug: 'new' })
    people.push({ lead, isPrivate: false, note: '', texts: [], undo: null })
  }
  return { phone, people, tab: await phone.openTab() }
}

/** The leads on the board with outbox entries applied. */
async function seen({ tab, people }: State): Promise<ReadonlyMap<number, Lead>> {
  const { rows } = await base.db.query<{ id: number; notes: string | null }>(
    `select id, notes from public.whatsapp_contacts where "instanceName" = $1`,
    [ana.instanceName],
  )
  const server = people.flatMap(({ lead }) => {
    const row = rows.find(({ id }) => id === lead.id)
    return row ? [[lead.id, { ...lead, notes: row.notes }] as const] : []
  })
  return layOverLeads(new Map(server), await tab.app.listOutbox(), { calmSinceMs: 0 })
}

async function doStep(state: State, one: Step) {
  if ('at' in one) return state.tab.use(() => act(state.tab, state.people[one.at]!, one))
  await doSystemStep(state, one, {
    onRestart: () => {
      for (const person of state.people) person.undo = null
    },
  })
}

async function act({ app }: Tab, person: Person, one: Extract<Step, { at: number }>) {
  const lead = { ...person.lead, notes: person.note }
  if (one.act === 'back' || one.act === 'undo') {
    const { undo } = person
    person.undo = null
    if (!person.isPrivate || (one.act === 'undo' && !undo)) return
    person.isPrivate = false
    // From the toast, or from the list, where this device may not know the mark's id yet.
    const given = { privateId: null, markedBy: null }
    return one.act === 'undo' && undo ? undo() : app.privacy.takeBack({ lead: app.leadRef(lead), given })
  }
  if (person.isPrivate) return
  if (one.act === 'mark') {
    person.isPrivate = true
    person.undo = await app.privacy.markPrivate(lead, { keepsName: true })
  } else if (one.act === 'note') {
    await app.saveNotes(lead, one.text)
    person.note = one.text
  } else {
    const words = `${person.texts.length} ${one.text}`
    person.texts.push(words)
    await app.perform({ kind: 'message.send', lead: app.leadRef(lead), text: words, quotedMessageId: null })
  }
}

const countOf = async (sql: string, id: number) =>
  (await base.db.query<{ n: number }>(`select count(*)::integer as n from ${sql}`, [id])).rows[0]?.n

testHistories('with private contacts', {
  lives: { seed: 20_261_129, quick: 5, deep: [600, 150] },
  step,
  openLife,
  doStep,
  expectSeen: async (state) => {
    const shown = await seen(state)
    for (const { lead, isPrivate } of state.people)
      // Back on the board once the server has unmarked it.
      if (isPrivate) expect(shown.get(lead.id), 'hidden at once').toBeUndefined()
  },
  expectStored: async ({ people }) => {
    for (const { lead, isPrivate, note, texts } of people) {
      expect(await countOf('portal.private_contacts where contact_id = $1', lead.id)).toBe(Number(isPrivate))
      expect(await countOf('public.whatsapp_contacts where id = $1', lead.id)).toBe(Number(!isPrivate))
      if (isPrivate)
        await base.db.query(
          'select portal.bring_back(p.id) from portal.private_contacts p where p.contact_id = $1',
          [lead.id],
        )
      const { rows } = await base.db.query<{ notes: string | null; texts: string[] }>(
        `select c.notes, array(select m.body from public.whatsapp_messages m where m.contact_id = c.id order by m.id) as texts
         from public.whatsapp_contacts c where c.id = $1`,
        [lead.id],
      )
      expect(rows).toEqual([{ notes: note || null, texts }])
    }
  },
})
