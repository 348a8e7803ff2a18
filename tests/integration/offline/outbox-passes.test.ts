// Random histories of a phone that passes leads to colleagues and takes them back: despite failures of network and
// system, each lead waits in the end for whom its broker chose last.
import fc from 'fast-check'
import { expect } from 'vitest'
import type { Lead } from '#domain/lead/lead.ts'
import { makeBroker, makeContact, makeTeam } from '#tests/support/make.ts'
import { lead as leadOf } from '#tests/support/make-app.ts'
import { doSystemStep, openHistories, SYSTEM_STEPS } from '#tests/support/phone-histories.ts'
import type { Fault, Phone, Tab } from '#tests/support/phone.ts'

const LEADS = 2

const { base, ana, openPhone, testHistories } = await openHistories()
const colleagues = [await makeBroker(base.db), await makeBroker(base.db)]
await makeTeam(base.db, { brokers: [ana, ...colleagues] })

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      act: fc.constant('pass' as const),
      at: fc.nat(LEADS - 1),
      to: fc.constantFrom(null, ...colleagues.map(({ instanceName }) => instanceName)),
    }),
  },
  ...SYSTEM_STEPS,
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never
type State = { phone: Phone; leads: { lead: Lead; to: string | null }[]; tab: Tab }

async function openLife(faults: readonly Fault[]): Promise<State> {
  // All histories are of one broker and fall into a few minutes of the database's clock, which limits passes.
  await base.db.exec('delete from portal.throttle')
  const phone = await openPhone(faults)
  const leads: State['leads'] = []
  for (let n = 0; n < LEADS; n++) {
    const { id, number } = await makeContact(base.db, ana.instanceName, { name: 'Célia' })
    const lead = leadOf({ id, number, name: 'Célia', instanceName: ana.instanceName, stageSlug: 'new' })
    leads.push({ lead, to: null })
  }
  return { phone, leads, tab: await phone.openTab() }
}

async function doStep(state: State, one: Step) {
  if (one.act !== 'pass') return doSystemStep(state, one, { onRestart: () => undefined })
  const passed = state.leads[one.at]!
  passed.to = one.to
  await state.tab.use(() => state.tab.app.passes.passLead(passed.lead, one.to))
}

testHistories('with leads passed to colleagues', {
  lives: { seed: 20_261_130, quick: 5, deep: [600, 150] },
  step,
  openLife,
  doStep,
  expectStored: async ({ leads }) => {
    for (const { lead, to } of leads) {
      const { rows } = await base.db.query(
        `select p.to_instance as to, p.state, c."instanceName" as owner
         from public.whatsapp_contacts c left join portal.lead_passes p on p.contact_id = c.id where c.id = $1`,
        [lead.id],
      )
      expect(rows).toEqual([{ to, state: to === null ? null : 'open', owner: ana.instanceName }])
    }
  },
})
