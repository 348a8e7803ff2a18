// Random histories of a phone that adds leads: despite failures of network and system, each is one lead with all its
// changes.
import fc from 'fast-check'
import { expect } from 'vitest'
import type { Lead } from '#domain/lead/lead.ts'
import { layOverLeads, withAdditions } from '#domain/outbox/overlay.ts'
import { lead as leadOf } from '#tests/support/make-app.ts'
import { doSystemStep, openHistories, SYSTEM_STEPS, TEXT } from '#tests/support/phone-histories.ts'
import { type Fault, type Phone, type Tab } from '#tests/support/phone.ts'

const PEOPLE = 3

const { base, ana, openPhone, testHistories } = await openHistories()

const at = fc.nat(PEOPLE - 1)
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ act: fc.constant('add' as const), at }) },
  { weight: 4, arbitrary: fc.record({ act: fc.constant('say' as const), at, text: TEXT }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('note' as const), at, text: TEXT }) },
  ...SYSTEM_STEPS,
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** A person who may be added several times. */
type Person = { number: string; isAdded: boolean; note: string; texts: string[] }
type State = { phone: Phone; people: Person[]; tab: Tab }

let lives = 0
async function openLife(faults: readonly Fault[]): Promise<State> {
  await base.db.exec('delete from portal.lead_additions; delete from portal.first_text_days')
  const phone = await openPhone(faults)
  lives++
  const people = Array.from({ length: PEOPLE }, (_, index) => ({
    number: `+55119${String(60_000_000 + lives * 10 + index)}`,
    isAdded: false,
    note: '',
    texts: [],
  }))
  return { phone, people, tab: await phone.openTab() }
}

/** The board on screen: the server's rows with outbox entries applied. */
async function seen({ tab }: State): Promise<ReadonlyMap<number, Lead>> {
  const { rows } = await base.db.query<{ id: number; name: string; number: string; notes: string | null }>(
    `select id, name, number, notes from public.whatsapp_contacts where "instanceName" = $1`,
    [ana.instanceName],
  )
  const server = new Map(
    rows.map((row) => [row.id, leadOf({ ...row, instanceName: ana.instanceName, stageSlug: 'new' })]),
  )
  const entries = await tab.app.listOutbox()
  return layOverLeads(withAdditions(server, entries, ana.instanceName), entries, { calmSinceMs: 0 })
}

const found = (board: ReadonlyMap<number, Lead>, { number }: Person) =>
  [...board.values()].filter((lead) => lead.number?.replace('+', '') === number.slice(1))

async function doStep(state: State, one: Step) {
  return 'at' in one ? act(state, one) : doSystemStep(state, one)
}

async function act(state: State, one: Extract<Step, { at: number }>) {
  const { tab } = state
  const person = state.people[one.at]!
  await tab.use(async () => {
    if (one.act === 'add') {
      const added = await tab.app.addLead({
        name: 'Sandra',
        number: person.number,
        development: '',
        source: 'plantao',
        note: '',
        instanceName: ana.instanceName,
      })
      person.isAdded = true
      return void added
    }
    const [lead] = found(await seen(state), person)
    if (!lead) return
    if (one.act === 'note') {
      person.note = one.text
      return tab.app.saveNotes(lead, one.text)
    }
    const words = `${person.texts.length} ${one.text}`
    person.texts.push(words)
    await tab.app.perform({
      kind: 'message.send',
      lead: tab.app.leadRef(lead),
      text: words,
      quotedMessageId: null,
    })
  })
}

testHistories('of added people: each is one lead, and no change is lost or doubled', {
  lives: { seed: 20_261_123, quick: 5, deep: [600, 150] },
  step,
  minLength: 2,
  openLife,
  doStep,
  expectSeen: async (state) => {
    const board = await seen(state)
    // Added twice before the server's answer, it is shown twice until then.
    for (const person of state.people)
      expect(found(board, person).length > 0, 'what was added is seen').toBe(person.isAdded)
  },
  expectStored: async ({ people }) => {
    for (const person of people) {
      const { rows } = await base.db.query<{ id: number; notes: string | null; texts: string[] }>(
        `select c.id, c.notes, array(select m.body from public.whatsapp_messages m where m.contact_id = c.id
           order by split_part(m.body, ' ', 1)::integer) as texts
         from public.whatsapp_contacts c where portal.number_key(c.number) = portal.number_key($1)`,
        [person.number],
      )
      expect(rows.length, 'one person, one lead').toBe(person.isAdded ? 1 : 0)
      if (!person.isAdded) continue
      expect(rows[0]!.texts, 'each text once').toEqual(person.texts)
      expect(rows[0]!.notes ?? '').toBe(person.note)
    }
  },
})
