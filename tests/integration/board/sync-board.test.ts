// sync_board: the whole board, the changes since a cursor, removals, and who may read it.
import { beforeEach, expect, test } from 'vitest'
import { asUser, type Claims } from '#server/db/as-user.ts'
import { openBase } from '#tests/support/database.ts'
import {
  makeBroker,
  makeContact,
  makeMessage,
  makeStage,
  signIn,
  signInAdmin,
  type MadeBroker,
  type MadeContact,
} from '#tests/support/make.ts'

type Lead = { id: number; name: string; status: string; opted_out: boolean; broker_number: string | null }
type Board = { cursor: string; reset: boolean; leads: Lead[]; removed: number[]; stages: { slug: string }[] }

let ana: MadeBroker
let bia: MadeBroker
let asAna: Claims
let asBia: Claims
const base = await openBase()
beforeEach(async () => {
  ana = await makeBroker(base.db)
  bia = await makeBroker(base.db)
  asAna = await signIn(base.db, ana)
  asBia = await signIn(base.db, bia)
})

async function sync(claims: Claims, instance: string | null, cursor: string | null = null): Promise<Board> {
  const { rows } = await asUser(base.db, claims, (query) =>
    query<{ board: Board }>('select public.sync_board($1, $2) as board', [instance, cursor]),
  )
  if (!rows[0]) throw new Error('no board')
  return rows[0].board
}

const ids = (leads: { id: number }[]) => leads.map((lead) => lead.id).toSorted((a, b) => a - b)

/** The changes of ana's board since the cursor. */
async function changesAt(cursor: string) {
  const { reset, leads, removed } = await sync(asAna, ana.instanceName, cursor)
  return { reset, leads: ids(leads), removed }
}

const rename = (lead: MadeContact) =>
  base.db.query('update public.whatsapp_contacts set name = $1 where id = $2', ['Outro nome', lead.id])

test("the first answer is the whole board, each lead with the API's fields", async () => {
  await base.db.query('update public.brokers set broker_number = $1 where id = $2', ['5511911112222', ana.id])
  const lead = await makeContact(base.db, ana.instanceName, {
    name: 'Rogério Bastos',
    notes: 'Prefere andar alto',
    profile_pic_url: 'https://example.org/p.jpg',
    source: 'instagram',
    empreendimento: 'Mirante do Lago',
  })
  const silent = await makeContact(base.db, ana.instanceName)
  const { id: messageId } = await makeMessage(base.db, lead.id, {
    body: 'x'.repeat(400),
    timestamp: 1_795_000_000,
    kind: 'image',
  })
  const board = await sync(asAna, ana.instanceName)
  expect(board).toMatchObject({ reset: true, removed: [] })
  expect(board.leads.find((row) => row.id === lead.id)).toEqual({
    id: lead.id,
    name: 'Rogério Bastos',
    number: lead.number,
    notes: 'Prefere andar alto',
    status: 'new',
    profile_pic_url: 'https://example.org/p.jpg',
    broker_number: '5511911112222',
    instanceName: ana.instanceName,
    unread_count: 1,
    marked_unread: null,
    interests: null,
    remarketing_sent_at: null,
    last_author: null,
    last_op: null,
    opted_out: false,
    waiting_since: 1_795_000_000,
    next: null,
    later: null,
    done: null,
    target: null,
    source: 'instagram',
    empreendimento: 'Mirante do Lago',
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/) as string,
    updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/) as string,
    last_message: {
      id: messageId,
      body: 'x'.repeat(300),
      timestamp: 1_795_000_000,
      type: 'incoming',
      kind: 'image',
      delivery: null,
    },
  })
  expect(board.leads.find((row) => row.id === silent.id)).toMatchObject({ last_message: null })
  expect(board.stages[0]).toEqual({
    id: 1,
    name: 'Novos Contatos',
    slug: 'new',
    order_index: 1,
    kind: 'open',
    hue: 'new',
  })
})

test("a lead has its last answer's delivery state and last campaign time; both are changes", async () => {
  const lead = await makeContact(base.db, ana.instanceName)
  const { id } = await makeMessage(base.db, lead.id, { type: 'outgoing', delivery: 'sent' })
  const happenings = [
    () => base.db.query(`update public.whatsapp_messages set delivery = 'read' where id = $1`, [id]),
    () =>
      base.db.query(
        `update public.whatsapp_contacts set remarketing_sent_at = '2026-11-20 15:30:00+00' where id = $1`,
        [lead.id],
      ),
  ]
  let { cursor } = await sync(asAna, ana.instanceName)
  for (const happen of happenings) {
    await happen()
    expect(await changesAt(cursor)).toEqual({ reset: false, leads: [lead.id], removed: [] })
    cursor = (await sync(asAna, ana.instanceName, cursor)).cursor
  }
  const { leads } = await sync(asAna, ana.instanceName)
  expect(leads).toEqual([
    expect.objectContaining({
      last_message: expect.objectContaining({ delivery: 'read' }) as unknown,
      remarketing_sent_at: '2026-11-20T15:30:00+00:00',
    }),
  ])
})

test('an empty board is complete, and its first lead comes as a change', async () => {
  const { cursor, leads } = await sync(asAna, ana.instanceName)
  expect(leads).toEqual([])
  const lead = await makeContact(base.db, ana.instanceName)
  expect(await changesAt(cursor)).toEqual({ reset: false, leads: [lead.id], removed: [] })
})

test('without changes the answer is less than a kilobyte with the same cursor', async () => {
  for (let n = 0; n < 30; n++) await makeContact(base.db, ana.instanceName)
  const { cursor } = await sync(asAna, ana.instanceName)
  const again = await sync(asAna, ana.instanceName, cursor)
  expect(again).toMatchObject({ cursor, reset: false, leads: [], removed: [] })
  expect(JSON.stringify(again).length).toBeLessThan(1_000)
})

test('messages, names, moves, opt-outs and the phone number of the broker are changes', async () => {
  const [lead, other] = [
    await makeContact(base.db, ana.instanceName),
    await makeContact(base.db, ana.instanceName),
  ]
  const happenings = [
    () => makeMessage(base.db, lead.id),
    () => rename(lead),
    () => base.db.query(`update public.whatsapp_contacts set status = 'conversa' where id = $1`, [lead.id]),
    () => base.db.query('update portal.people set opted_out_at = now() where id = $1', [lead.person_id]),
    () => base.db.query('update public.whatsapp_messages set read = true where contact_id = $1', [lead.id]),
  ]
  for (const happen of happenings) {
    const { cursor } = await sync(asAna, ana.instanceName)
    await happen()
    expect(await changesAt(cursor)).toEqual({ reset: false, leads: [lead.id], removed: [] })
  }
  const before = await sync(asAna, ana.instanceName)
  expect(before.leads.find((row) => row.id === lead.id)).toMatchObject({
    opted_out: true,
    status: 'conversa',
  })
  await base.db.query('update public.brokers set broker_number = $1 where id = $2', ['5511933334444', ana.id])
  const { leads } = await sync(asAna, ana.instanceName, before.cursor)
  expect(ids(leads)).toEqual(ids([lead, other]))
  expect(leads.every((row) => row.broker_number === '5511933334444')).toBe(true)
})

test('only changes after the cursor come, each lead once in its newest form', async () => {
  const [first, second] = [
    await makeContact(base.db, ana.instanceName),
    await makeContact(base.db, ana.instanceName),
  ]
  const start = await sync(asAna, ana.instanceName)
  await rename(first)
  const middle = await sync(asAna, ana.instanceName, start.cursor)
  await rename(second)
  await base.db.query(`update public.whatsapp_contacts set name = 'Terceiro' where id = $1`, [second.id])
  expect(ids(middle.leads)).toEqual([first.id])
  const end = await sync(asAna, ana.instanceName, middle.cursor)
  expect(end.leads.map((row) => [row.id, row.name])).toEqual([[second.id, 'Terceiro']])
  expect(ids((await sync(asAna, ana.instanceName, start.cursor)).leads)).toEqual(ids([first, second]))
})

test('several changes of one transaction come together, rolled-back ones never', async () => {
  const lead = await makeContact(base.db, ana.instanceName)
  const { cursor } = await sync(asAna, ana.instanceName)
  const made: number[] = []
  await base.db.transaction(async (query) => {
    await query(`update public.whatsapp_contacts set name = 'a' where id = $1`, [lead.id])
    await query('savepoint before_second')
    await query(`update public.whatsapp_contacts set name = 'b' where id = $1`, [lead.id])
    await query(
      `insert into public.whatsapp_contacts ("instanceName", number) values ($1, '5511900001111')`,
      [ana.instanceName],
    )
    await query('rollback to before_second')
    for (const number of ['5511900002222', '5511900003333']) {
      const { rows } = await query<{ id: number }>(
        'insert into public.whatsapp_contacts ("instanceName", number) values ($1, $2) returning id',
        [ana.instanceName, number],
      )
      made.push(rows[0]?.id ?? 0)
    }
  })
  const after = await sync(asAna, ana.instanceName, cursor)
  expect(ids(after.leads)).toEqual([lead.id, ...made].toSorted((a, b) => a - b))
  expect(after.leads.find((row) => row.id === lead.id)?.name).toBe('a')
  await base.db.transaction((query) => query(`update public.whatsapp_contacts set name = 'c'`), {
    rollback: true,
  })
  expect(await changesAt(after.cursor)).toEqual({ reset: false, leads: [], removed: [] })
})

test('a transferred lead leaves one board and joins the other, and may come back', async () => {
  const lead = await makeContact(base.db, ana.instanceName)
  const hand = (to: MadeBroker) =>
    base.db.query('update public.whatsapp_contacts set "instanceName" = $1 where id = $2', [
      to.instanceName,
      lead.id,
    ])
  const onAna = await sync(asAna, ana.instanceName)
  const onBia = await sync(asBia, bia.instanceName)
  await hand(bia)
  expect(await changesAt(onAna.cursor)).toEqual({ reset: false, leads: [], removed: [lead.id] })
  expect(ids((await sync(asBia, bia.instanceName, onBia.cursor)).leads)).toEqual([lead.id])
  await hand(ana)
  expect(await changesAt(onAna.cursor)).toEqual({ reset: false, leads: [lead.id], removed: [] })
  expect(await sync(asBia, bia.instanceName, onBia.cursor)).toMatchObject({ leads: [], removed: [lead.id] })
})

test('a transfer and its return in one transaction are one change on the same board', async () => {
  const lead = await makeContact(base.db, ana.instanceName)
  const { cursor } = await sync(asAna, ana.instanceName)
  await base.db.transaction(async (query) => {
    for (const to of [bia, ana])
      await query('update public.whatsapp_contacts set "instanceName" = $1 where id = $2', [
        to.instanceName,
        lead.id,
      ])
  })
  expect(await changesAt(cursor)).toEqual({ reset: false, leads: [lead.id], removed: [] })
})

test('a removed lead is reported as removed, also one that came and went unseen', async () => {
  const lead = await makeContact(base.db, ana.instanceName)
  const { cursor } = await sync(asAna, ana.instanceName)
  const short = await makeContact(base.db, ana.instanceName)
  await base.db.query('delete from public.whatsapp_contacts where id = any($1::int8[])', [
    [String(lead.id), String(short.id)],
  ])
  const after = await changesAt(cursor)
  expect({ ...after, removed: after.removed.toSorted((a, b) => a - b) }).toEqual({
    reset: false,
    leads: [],
    removed: ids([lead, short]),
  })
})

test('a removed stage changes its leads on every board, and the list of stages is always complete', async () => {
  const stage = await makeStage(base.db)
  const mine = await makeContact(base.db, ana.instanceName, { status: stage.slug })
  await makeContact(base.db, bia.instanceName, { status: stage.slug })
  const before = await sync(asAna, ana.instanceName)
  const onBia = await sync(asBia, bia.instanceName)
  await base.db.query('delete from public.kanban_stages where id = $1', [stage.id])
  const after = await sync(asAna, ana.instanceName, before.cursor)
  expect(after.leads.map((row) => [row.id, row.status])).toEqual([[mine.id, 'new']])
  expect(before.stages.map((row) => row.slug)).toContain(stage.slug)
  expect(after.stages.map((row) => row.slug)).not.toContain(stage.slug)
  expect((await sync(asBia, bia.instanceName, onBia.cursor)).leads).toHaveLength(1)
})

test('a renamed stage advances every cursor, so that open apps refetch', async () => {
  const { cursor } = await sync(asAna, ana.instanceName)
  const stage = await makeStage(base.db)
  const after = await sync(asAna, ana.instanceName, cursor)
  expect(after.cursor).not.toBe(cursor)
  expect(after).toMatchObject({ reset: false, leads: [], removed: [] })
  expect(after.stages.map((row) => row.slug)).toContain(stage.slug)
})

test('a cursor of another board, or from the future, returns the whole board', async () => {
  const lead = await makeContact(base.db, ana.instanceName)
  await makeContact(base.db, bia.instanceName)
  const { cursor } = await sync(asAna, ana.instanceName)
  const foreign = await sync(asBia, bia.instanceName)
  const [epoch] = cursor.split('.')
  const garbage = [foreign.cursor, '', 'x', '.', `${epoch}.`, `${epoch}.999999`, `${epoch}.-1`, `${epoch}.1x`]
  garbage.push(
    `${epoch}.99999999999999999999999`,
    `x${cursor}`,
    `${cursor}\n`,
    `${epoch}.1.1`,
    '%',
    `${epoch}'--.1`,
  )
  for (const text of garbage) {
    const board = await sync(asAna, ana.instanceName, text)
    expect([text, board.reset, ids(board.leads)]).toEqual([text, true, [lead.id]])
  }
})

test('a device continues with the cursor of an earlier version', async () => {
  const leads = await Promise.all(Array.from({ length: 3 }, () => makeContact(base.db, ana.instanceName)))
  const [seen, , since] = leads.map(({ id }) => id)
  const { cursor } = await sync(asAna, ana.instanceName)
  const [epoch] = cursor.split('.')
  // The state that this version left.
  await base.db.query(`update portal.board_sequences set value = 7 where "instanceName" = $1`, [
    ana.instanceName,
  ])
  await base.db.query(
    `update portal.board_changes set xid = 0, seq = case contact_id when $2 then 6 else 7 end where "instanceName" = $1`,
    [ana.instanceName, seen ?? 0],
  )
  expect(ids((await sync(asAna, ana.instanceName, `${epoch}.6`)).leads)).toEqual(ids(leads.slice(1)))
  expect(await changesAt(`${epoch}.7`)).toEqual({ reset: false, leads: [], removed: [] })
  expect(await sync(asAna, ana.instanceName, `${epoch}.8`)).toMatchObject({ reset: true })
  await base.db.query('update public.whatsapp_contacts set name = $1 where id = $2', ['Nova', since ?? 0])
  const next = await sync(asAna, ana.instanceName, `${epoch}.7`)
  expect(ids(next.leads)).toEqual([since])
  // Devices compare cursors like this.
  expect(Number(next.cursor.split('.')[1])).toBeGreaterThan(7)
  expect(await changesAt(next.cursor)).toEqual({ reset: false, leads: [], removed: [] })
})

test('boards of a database moved to another server are read anew, and continue', async () => {
  const lead = await makeContact(base.db, ana.instanceName)
  await base.db.query('update portal.board_changes set xid = 9000000000000 where contact_id = $1', [lead.id])
  const { cursor } = await sync(asAna, ana.instanceName)
  await base.db.query(`select portal.cap_waits(now(), interval '1 minute')`)
  const anew = await sync(asAna, ana.instanceName, cursor)
  expect(anew).toMatchObject({ reset: true, leads: [{ id: lead.id }] })
  expect(await changesAt(anew.cursor)).toEqual({ reset: false, leads: [], removed: [] })
  await rename(lead)
  expect(await changesAt(anew.cursor)).toEqual({ reset: false, leads: [lead.id], removed: [] })
})

test('a broker removed and added again under the same name has another board', async () => {
  const lead = await makeContact(base.db, ana.instanceName)
  const { cursor } = await sync(asAna, ana.instanceName)
  await base.db.query('delete from public.brokers where id = $1', [ana.id])
  const again = await makeBroker(base.db, { instanceName: ana.instanceName })
  const board = await sync(await signIn(base.db, again), ana.instanceName, cursor)
  expect(board).toMatchObject({ reset: true, leads: [] })
  expect(
    (await base.db.query('select from public.whatsapp_contacts where id = $1', [lead.id])).rows,
  ).toHaveLength(1)
})

test("another broker's board is refused, an administrator reads any, an unknown one is not found", async () => {
  const asAdmin = await signInAdmin(base.db)
  const lead = await makeContact(base.db, ana.instanceName)
  for (const instance of [ana.instanceName, 'corretor_ninguem', '', null])
    await expect(sync(asBia, instance)).rejects.toMatchObject({
      code: '42501',
      message: 'Este quadro é de outro corretor.',
    })
  expect(ids((await sync(asAdmin, ana.instanceName)).leads)).toEqual([lead.id])
  expect(ids((await sync({ role: 'service_role' }, ana.instanceName)).leads)).toEqual([lead.id])
  await expect(sync(asAdmin, 'corretor_ninguem')).rejects.toMatchObject({ code: 'PT404' })
  await expect(sync({ role: 'authenticated' }, ana.instanceName)).rejects.toMatchObject({ code: 'PT401' })
  await expect(sync({ role: 'anon' }, ana.instanceName)).rejects.toMatchObject({ code: '42501' })
})

test("leads without a broker are the administrator's board, always complete, and its changes are notified", async () => {
  const asAdmin = await signInAdmin(base.db)
  const leaving = await makeBroker(base.db)
  const lead = await makeContact(base.db, leaving.instanceName)
  const heard: string[] = []
  const stop = await base.db.listen(
    'portal',
    (payload) => heard.push(payload),
    () => undefined,
  )
  const untilNotified = async () => {
    await expect.poll(() => heard).toContain('{"kind": "board", "instanceName": ""}')
    heard.length = 0
  }
  await base.db.query('delete from public.brokers where id = $1', [leaving.id])
  await untilNotified()
  const { leads, cursor } = await sync(asAdmin, '')
  expect(leads.find(({ id }) => id === lead.id)).toMatchObject({ instanceName: '', broker_number: null })
  const again = await sync(asAdmin, '', cursor)
  expect(again).toMatchObject({ reset: true, cursor })
  expect(ids(again.leads)).toEqual(ids(leads))

  await rename(lead)
  await untilNotified()
  await base.db.query('update public.whatsapp_contacts set "instanceName" = $1 where id = $2', [
    ana.instanceName,
    lead.id,
  ])
  await untilNotified()
  expect(ids((await sync(asAdmin, '')).leads)).not.toContain(lead.id)
  await expect(sync(asAna, '')).rejects.toMatchObject({ code: '42501' })
  await stop()
})
