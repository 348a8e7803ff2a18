// The stored board equals the server's, whatever was pulled, lost, repeated or interrupted.
import 'fake-indexeddb/auto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Lead } from '#domain/lead/lead.ts'
import { type BoardChange, readBoard, saveBoard } from '#offline/board-store.ts'
import { writeDevice } from '#offline/database.ts'
import { readFirstScreen, readFirstScreenAhead } from '#offline/first-screen.ts'
import { forgetMemories } from '#offline/owner.ts'
import { entry, lead, stage } from '#tests/support/make-app.ts'
import { byTier } from '#tests/support/runner/tier.ts'

let nextOwner = 1
const newKey = () => ({ owner: `owner-${nextOwner++}`, instanceName: 'corretor_camila' })
const STAGES = [stage({ slug: 'new' }), stage({ slug: 'conversa' })]

type Server = { epoch: string; at: number; leads: Map<number, Lead>; log: { at: number; id: number }[] }

const newServer = (epoch = 'e1'): Server => ({ epoch, at: 0, leads: new Map(), log: [] })

function write(server: Server, id: number, after: Lead | null) {
  server.at += 1
  if (after) server.leads.set(id, after)
  else server.leads.delete(id)
  server.log = [...server.log.filter((change) => change.id !== id), { at: server.at, id }]
}

/** Answers like sync_board. */
function pull({ epoch, at, leads, log }: Server, base: string | null): Omit<BoardChange, 'whole'> {
  const [baseEpoch, baseAt] = (base ?? '.').split('.')
  const isDelta = base !== null && baseEpoch === epoch && Number(baseAt) <= at
  const since = log.filter((change) => change.at > Number(baseAt)).map(({ id }) => id)
  const counts = new Map<string, number>()
  for (const { stageSlug } of leads.values()) counts.set(stageSlug, (counts.get(stageSlug) ?? 0) + 1)
  return {
    head: { cursor: `${epoch}.${at}`, stages: STAGES, counts, pulledAtMs: at },
    base: isDelta ? base : null,
    changed: isDelta ? since.flatMap((id) => leads.get(id) ?? []) : [...leads.values()],
    removed: isDelta ? since.filter((id) => !leads.has(id)) : [],
  }
}

/** An unsent note of the lead. */
const waitsFor = (id: number) =>
  entry(
    {
      kind: 'lead.note',
      lead: { id, number: null, name: null, instanceName: 'corretor_camila' },
      base: '',
      text: 'Liga à tarde',
    },
    { seq: id, id: `operation-${id}`, userId: 'camila' },
  )

const byId = (leads: Iterable<Lead>) => new Map([...leads].map((each) => [each.id, each]))

describe('the board on the device', () => {
  it('is empty before the first pull', async () => {
    const key = newKey()
    expect(await readFirstScreen(key)).toBeNull()
    expect(await readBoard(key)).toBeNull()
  })

  it('returns the latest leads of each stage first, and true counts', async () => {
    const key = newKey()
    const server = newServer()
    for (let id = 1; id <= 60; id++) {
      const lastMessage = {
        body: '',
        sentAtSeconds: 1000 + (id % 50),
        direction: 'incoming',
        delivery: null,
      } as const
      write(server, id, lead({ id, stageSlug: id <= 55 ? 'new' : 'conversa', lastMessage }))
    }
    write(server, 61, lead({ id: 61, lastMessage: null, createdAtMs: 1_045_500 }))
    await saveBoard(key, { ...pull(server, null), whole: server.leads })

    const stored = await readFirstScreen(key)
    expect(stored?.head.counts).toEqual(
      new Map([
        ['new', 56],
        ['conversa', 5],
      ]),
    )
    const shown = (slug: string) => (stored?.leads ?? []).filter(({ stageSlug }) => stageSlug === slug)
    expect(shown('conversa')).toHaveLength(5)
    const spoken = (each: Lead) => each.lastMessage?.sentAtSeconds ?? each.createdAtMs / 1000
    const expected = [...server.leads.values()]
      .filter(({ stageSlug }) => stageSlug === 'new')
      .toSorted((a, b) => spoken(b) - spoken(a) || b.id - a.id)
    expect(shown('new')).toEqual(expected.slice(0, 16))
  })

  it('includes leads with outbox entries, however old', async () => {
    const key = newKey()
    const server = newServer()
    for (let id = 1; id <= 60; id++) write(server, id, lead({ id, createdAtMs: id }))
    await saveBoard(key, { ...pull(server, null), whole: server.leads })
    await writeDevice(async (db) => {
      for (const id of [1, 60, 999]) await db.add('outbox', waitsFor(id))
    })
    const stored = await readFirstScreen(key)
    await writeDevice((db) => db.clear('outbox'))
    expect(stored?.leads.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual([
      1,
      ...Array.from({ length: 16 }, (_, index) => 45 + index),
    ])
  })

  it('an early read is returned once, to its owner, and to nobody after sign-out', async () => {
    const [ana, bia] = [newKey(), newKey()]
    const server = newServer()
    write(server, 1, lead({ id: 1 }))
    await saveBoard(ana, { ...pull(server, null), whole: server.leads })
    const countOf = async (key: typeof ana) => (await readFirstScreen(key))?.leads.length ?? null
    const ahead = async () => {
      await readFirstScreenAhead(ana)
      write(server, server.leads.size + 1, lead({ id: server.leads.size + 1 }))
      await saveBoard(ana, { ...pull(server, null), whole: server.leads })
    }
    await ahead()
    expect([await countOf(ana), await countOf(ana)]).toEqual([1, 2])
    await ahead()
    expect([await countOf(bia), await countOf(ana)]).toEqual([null, 3])
    await ahead()
    forgetMemories()
    expect(await countOf(ana)).toBe(4)
  })

  it('keeps boards and users apart', async () => {
    const [ana, bia] = [newKey(), newKey()]
    const other = { ...ana, instanceName: 'corretor_camila2' }
    const server = newServer()
    write(server, 1, lead({ id: 1 }))
    await saveBoard(ana, { ...pull(server, null), whole: server.leads })
    expect(await readBoard(bia)).toBeNull()
    expect(await readBoard(other)).toBeNull()
    expect(await readFirstScreen(other)).toBeNull()
    await saveBoard(other, { ...pull(newServer(), null), whole: new Map() })
    expect((await readBoard(ana))?.leads).toHaveLength(1)
  })

  it('reads more leads than one step', async () => {
    const key = newKey()
    const server = newServer()
    for (let id = 1; id <= 1_203; id++) write(server, id, lead({ id }))
    await saveBoard(key, { ...pull(server, null), whole: server.leads })
    expect(byId((await readBoard(key))?.leads ?? [])).toEqual(server.leads)
  })

  it('equals the server’s board after any pulls of two tabs, late, lost or repeated, and any reset', async () => {
    const change = fc.record({
      id: fc.integer({ min: 1, max: 8 }),
      to: fc.constantFrom('new', 'conversa', null),
    })
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.record({ kind: fc.constant('write' as const), change }) },
      {
        weight: 4,
        arbitrary: fc.record({ kind: fc.constant('pull' as const), tab: fc.integer({ min: 0, max: 1 }) }),
      },
      // the response reached the tab, but was not stored
      {
        weight: 1,
        arbitrary: fc.record({
          kind: fc.constant('pull-unkept' as const),
          tab: fc.integer({ min: 0, max: 1 }),
        }),
      },
      // stored later than the other tab's pulls
      {
        weight: 2,
        arbitrary: fc.record({
          kind: fc.constant('pull-late' as const),
          tab: fc.integer({ min: 0, max: 1 }),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({ kind: fc.constant('reload' as const), tab: fc.integer({ min: 0, max: 1 }) }),
      },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('server-anew' as const) }) },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const key = newKey()
        let server = newServer()
        type Tab = { cursor: string | null; leads: Map<number, Lead> }
        const tabs: Tab[] = [0, 1].map(() => ({ cursor: null, leads: new Map() }))
        const late: BoardChange[] = []
        const take = (tab: Tab): BoardChange => {
          const answer = pull(server, tab.cursor)
          tab.leads = new Map(answer.base === null ? [] : tab.leads)
          for (const each of answer.changed) tab.leads.set(each.id, each)
          for (const id of answer.removed) tab.leads.delete(id)
          tab.cursor = answer.head.cursor
          return { ...answer, whole: tab.leads }
        }
        const reload = async (tab: Tab) => {
          const stored = await readBoard(key)
          tab.cursor = stored?.head.cursor ?? null
          tab.leads = byId(stored?.leads ?? [])
        }
        for (const each of steps) {
          const tab = 'tab' in each ? tabs[each.tab] : undefined
          if (each.kind === 'write') {
            const { id, to } = each.change
            write(server, id, to && lead({ id, stageSlug: to, notes: `${server.at}` }))
          }
          if (each.kind === 'server-anew') {
            const { leads } = server
            server = { ...newServer(`e${Number(server.epoch.slice(1)) + 1}`), leads }
          }
          if (!tab) continue
          if (each.kind === 'pull') await saveBoard(key, take(tab))
          if (each.kind === 'pull-unkept') take(tab)
          if (each.kind === 'pull-late') late.push(take(tab))
          else for (const change of late.splice(0)) await saveBoard(key, change)
          if (each.kind === 'reload') await reload(tab)
        }
        for (const change of late.splice(0)) await saveBoard(key, change)
        // After one more pull, both the app and the device have the server's board.
        const last: Tab = { cursor: null, leads: new Map() }
        await reload(last)
        const final = take(last)
        expect(final.whole).toEqual(server.leads)
        await saveBoard(key, final)
        const stored = await readBoard(key)
        expect(byId(stored?.leads ?? [])).toEqual(server.leads)
        expect(stored?.head).toMatchObject({ cursor: final.head.cursor, counts: final.head.counts })
        const screen = await readFirstScreen(key)
        expect(byId(screen?.leads ?? [])).toEqual(server.leads)
      }),
      { numRuns: byTier(50, 150) },
    )
  })
})
