// Plans of next tries: what is proposed to whom, and how waiting commands show on the lead.
import { describe, expect, it } from 'vitest'
import type { LeadPlan, Try } from '#domain/plan/plan.ts'
import { withPlanCommands } from '#domain/plan/waiting.ts'
import { isPlanProposed, moveIntoHours, oneMore, proposeTries, silentSince } from '#domain/plan/propose.ts'
import type { Command } from '#domain/outbox/command.ts'
import { layOverLeads } from '#domain/outbox/overlay.ts'
import { createEntry } from '#domain/outbox/queue.ts'
import { lead, message } from '#tests/support/make-app.ts'

/** A Wednesday. */
const NOW = Date.parse('2026-11-25T09:41:00-03:00')
const DAY_MS = 86_400_000
const HOURS = { opensAt: 8, closesAt: 20, sendsOnSundays: false }
let ids = 0
const around = { hours: HOURS, nowMs: NOW, newId: () => `id-${++ids}` }
const NO_TEMPLATES = { own: null, shared: [] }
const at = (text: string) => Date.parse(`${text}-03:00`)
const rogerio = lead({ id: 7, name: 'Rogério Bastos', development: 'Mirante do Lago' })
const mirante = {
  development: 'mirante do lágo',
  steps: [
    { day: 1, minute: 600, kind: 'message' as const, text: '{nome}, viu a tabela?' },
    { day: 3, minute: 900, kind: 'call' as const, text: '' },
    { day: 5, minute: 540, kind: 'message' as const, text: 'Ainda faz sentido, {nome}?' },
  ],
}

describe('proposes', () => {
  it('message, call, message on days 1, 4 and 7 without a template, with no text of its own', () => {
    const tries = proposeTries(rogerio, { ...around, templates: NO_TEMPLATES })
    expect(tries.map(({ kind, dueAtMs, text }) => [kind, dueAtMs, text])).toEqual([
      ['message', at('2026-11-26T10:00:00'), ''],
      // Sunday: moved to Monday.
      ['call', at('2026-11-30T08:00:00'), ''],
      ['message', at('2026-12-02T09:00:00'), ''],
    ])
  })
  it("the template of the lead's development before the agency's, with the lead's name", () => {
    const agency = { development: null, steps: [{ day: 2, minute: 600, kind: 'call' as const, text: '' }] }
    const templates = { own: null, shared: [agency, mirante] }
    expect(proposeTries(rogerio, { ...around, templates }).map(({ text }) => text)).toEqual([
      'Rogério, viu a tabela?',
      '',
      'Ainda faz sentido, Rogério?',
    ])
    expect(proposeTries(lead({ development: 'Outro' }), { ...around, templates })).toHaveLength(1)
  })
  it("the broker's own days and kinds, with the template's texts", () => {
    const own = [
      { day: 2, minute: 660, kind: 'message' as const, text: '' },
      { day: 6, minute: 660, kind: 'message' as const, text: '' },
      { day: 8, minute: 660, kind: 'message' as const, text: '' },
    ]
    const tries = proposeTries(rogerio, { ...around, templates: { own, shared: [mirante] } })
    expect(tries.map(({ dueAtMs, text }) => [dueAtMs, text])).toEqual([
      [at('2026-11-27T11:00:00'), 'Rogério, viu a tabela?'],
      [at('2026-12-01T11:00:00'), 'Ainda faz sentido, Rogério?'],
      [at('2026-12-03T11:00:00'), ''],
    ])
  })
  it('one more a day after the last, and never two on one day', () => {
    const friday: Try = { operationId: 'a', kind: 'call', dueAtMs: at('2026-11-27T15:00:00'), text: '' }
    expect(oneMore([friday], around).dueAtMs).toBe(at('2026-11-28T15:00:00'))
    const sunday = { hours: HOURS, beforeMs: at('2026-11-30T07:30:00') }
    expect(moveIntoHours(at('2026-11-29T15:00:00'), sunday)).toBe(at('2026-12-01T08:00:00'))
  })
})

describe('a plan is proposed', () => {
  const silent = [
    message({ direction: 'incoming', sentAtSeconds: (NOW - 4 * DAY_MS) / 1000 }),
    message({ id: 2, direction: 'outgoing', sentAtSeconds: (NOW - 3 * DAY_MS) / 1000 }),
    message({ id: 3, direction: 'note', sentAtSeconds: (NOW - DAY_MS) / 1000 }),
  ]
  const ended: LeadPlan = {
    id: 1,
    operationId: null,
    leadId: 7,
    state: 'ended',
    reason: 'declined',
    by: 'person',
    startedAtMs: NOW - DAY_MS,
    changedAtMs: NOW - DAY_MS,
    steps: [],
  }
  const asked = { lead: rogerio, sinceMs: NOW - 4 * DAY_MS, plan: null, isOpenStage: true, nowMs: NOW }
  const action = { id: 1, operationId: null, kind: 'call' as const, dueAtMs: NOW, note: '' }
  it('to a lead that has been silent for over two days', () => {
    expect(silentSince(rogerio, silent)).toBe(NOW - 4 * DAY_MS)
    expect(isPlanProposed(asked)).toBe(true)
    expect(isPlanProposed({ ...asked, plan: { ...ended, startedAtMs: NOW - 9 * DAY_MS } })).toBe(true)
  })
  it('to a lead that came by a form and never wrote', () => {
    expect(silentSince({ createdAtMs: 5 }, [message({ direction: 'outgoing' })])).toBe(5)
  })
  it.each([
    ['whose newest message is its own', { sinceMs: silentSince(rogerio, silent.slice(0, 1)) }],
    ['silent for less than two days', { sinceMs: NOW - 2 * DAY_MS }],
    ['in a stage of won or lost leads', { isOpenStage: false }],
    ['that opted out', { lead: { ...rogerio, isOptedOut: true } }],
    ['with a next step', { lead: { ...rogerio, next: [action] } }],
    ['that had a plan, or none was wanted, in this silence', { plan: ended }],
  ])('not to a lead %s', (_, change) => {
    expect(isPlanProposed({ ...asked, ...change })).toBe(false)
  })
})

describe('a waiting command', () => {
  const tries: Try[] = [
    {
      operationId: '11111111-0000-4000-8000-000000000000',
      kind: 'message',
      dueAtMs: NOW + DAY_MS,
      text: 'Oi!',
    },
    {
      operationId: '22222222-0000-4000-8000-000000000000',
      kind: 'call',
      dueAtMs: NOW + 2 * DAY_MS,
      text: '',
    },
  ]
  const ofLead = { id: 7, number: null, name: null, instanceName: null }
  const start: Command = {
    kind: 'plan.start',
    lead: ofLead,
    before: [],
    given: {
      planId: null,
      planOperation: null,
      steps: tries.map(({ dueAtMs, ...one }) => ({ ...one, dueAt: new Date(dueAtMs).toISOString() })),
      seenAt: null,
      asDefault: false,
    },
  }
  const stop: Command = {
    kind: 'plan.stop',
    lead: ofLead,
    before: tries.map(({ operationId }) => operationId),
    given: { planId: null, planOperation: 'a', reason: 'stopped' },
  }
  const entry = (command: Command, id: string) => createEntry(command, { id, userId: 'ana', nowMs: NOW })
  const seen = (...entries: ReturnType<typeof entry>[]) =>
    layOverLeads(new Map([[7, rogerio]]), entries, { calmSinceMs: 0 }).get(7)

  it('shows its steps among the actions and texts of the lead, and takes them away', () => {
    expect(seen(entry(start, 'a'))).toMatchObject({
      next: [{ kind: 'call', dueAtMs: NOW + 2 * DAY_MS }],
      later: [{ text: 'Oi!', unlessAnswered: true }],
    })
    expect(seen(entry(start, 'a'), entry(stop, 'b'))).toMatchObject({ next: [], later: [] })
  })
  it('makes the plan that the sheet shows, and ends it', () => {
    const plan = withPlanCommands(null, 7, [entry(start, 'a')])
    expect(plan).toMatchObject({ state: 'running', operationId: 'a', steps: [{ state: 'open' }, {}] })
    expect(withPlanCommands(plan, 7, [entry(stop, 'b')])).toMatchObject({ state: 'ended', steps: [] })
    const undone = { ...stop, given: { ...stop.given, reason: 'undone' as const } }
    expect(withPlanCommands(null, 7, [entry(start, 'a'), entry(undone, 'b')])).toBeNull()
    expect(withPlanCommands(plan, 8, [entry(stop, 'b')])).toBe(plan)
  })
})
