// A portal's lead of a listing: its development, and its broker where the rotation says so.
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '#tests/support/eventually.ts'
import { feedOf, type FeedItem } from '#tests/support/feed.ts'
import { makeRotation, makeSeat } from '#tests/support/make.ts'
import { openOffice } from '#tests/support/office.ts'

const { db, portal, ana, bia, asAdmin, close } = await openOffice({ hasGateway: false })
afterAll(close)
beforeEach(async () => {
  for (const { instanceName } of [ana, bia])
    await db.query(
      `insert into portal.instance_states ("instanceName", state) values ($1, 'open')
      on conflict ("instanceName") do update set state = 'open'`,
      [instanceName],
    )
})
afterEach(() =>
  db.exec(
    `delete from portal.roleta_cases; delete from public.whatsapp_contacts; delete from portal.people; delete from public.roletas;
     delete from public.listings; delete from public.developments; update public.brokers set central_since = null, paused_until = null`,
  ),
)

async function listed(items: readonly FeedItem[]) {
  const answer = await asAdmin.request('/api/developments/feed/file', { method: 'POST', body: feedOf(items) })
  const { id } = (await answer.json()) as { id: number }
  await asAdmin.call(`/api/developments/feed/runs/${id}/apply`, { except: [] })
}
let numbers = 0
/** As portals of Grupo OLX deliver it; returns the lead once it is there. */
async function arrive(listing: string, more: object = {}) {
  const phone = `1195550${String(++numbers).padStart(4, '0')}`
  await db.query(
    `select portal.take_lead(null, jsonb_build_object('name', 'Marina', 'number', $1::text, 'source', 'ZAP Imóveis',
      'listing', $2::text, 'fields', '{}'::jsonb) || $3::jsonb, now())`,
    [`55${phone}`, listing, JSON.stringify(more)],
  )
  return async () =>
    (
      await db.query<{ empreendimento: string | null; instanceName: string | null }>(
        `select c.empreendimento, c."instanceName" from public.whatsapp_contacts c order by c.id desc limit 1`,
      )
    ).rows[0]
}
const withPhone = (broker: { instanceName: string }, number: string) =>
  db.query('update public.brokers set broker_number = $2 where "instanceName" = $1', [
    broker.instanceName,
    number,
  ])

describe('the development', () => {
  test.each([
    ['of the listing', { code: 'AP-1', development: 'Reserva Ipê' }, 'AP-1', {}, 'Reserva Ipê'],
    ['in other letters', { code: 'ap-1', development: 'Reserva Ipê' }, 'AP-1', {}, 'Reserva Ipê'],
    [
      'is the title of one without',
      { code: 'AP-1', title: 'Casa com quintal' },
      'AP-1',
      {},
      'Casa com quintal',
    ],
    [
      'is the source’s own before a title',
      { code: 'AP-1' },
      'AP-1',
      { development: 'Vila Bela' },
      'Vila Bela',
    ],
    ['of an unknown code', { code: 'AP-1' }, 'XX-9', { development: 'Vila Bela' }, 'Vila Bela'],
  ])('%s', async (_, listing, code, more, expected) => {
    await listed([listing])
    expect(await (await arrive(code, more))()).toMatchObject({ empreendimento: expected })
  })

  test('is an interest of the lead, of a new one and of one who asks about another', async () => {
    await listed([
      { code: 'AP-1', development: 'Reserva Ipê' },
      { code: 'AP-2', development: 'Vila Bela' },
    ])
    const lead = await arrive('AP-1')
    const interests = async () =>
      (
        await db.query<{ name: string; origin: string }>(
          `select d.name, i.origin from portal.interests i join public.developments d on d.id = i.development_id order by i.added_at, d.id`,
        )
      ).rows
    expect(await interests()).toEqual([{ name: 'Reserva Ipê', origin: 'listing' }])
    await arrive('AP-2', { number: `551195550${String(numbers).padStart(4, '0')}` })
    expect(await interests()).toEqual([
      { name: 'Reserva Ipê', origin: 'listing' },
      { name: 'Vila Bela', origin: 'listing' },
    ])
    expect(await lead()).toMatchObject({ empreendimento: 'Reserva Ipê' })
  })

  test('of a code in the portal’s own feed', async () => {
    const { rows } = await db.query<{ id: number }>(
      `insert into public.developments (name) values ('Mirante') returning id`,
    )
    expect(await (await arrive(`E${rows[0]?.id}-7`))()).toMatchObject({ empreendimento: 'Mirante' })
  })
})

describe('the broker who brought it', () => {
  async function office(isFirst: boolean) {
    const rotation = await makeRotation(db, { empreendimento: 'Reserva Ipê', lister_first: isFirst })
    await makeSeat(db, { roletaName: rotation.empreendimento, instanceName: ana.instanceName, ordem: 1 })
    await withPhone(bia, '5511955509001')
    await listed([{ code: 'AP-1', development: 'Reserva Ipê', phone: '(11) 95550-9001' }])
    return rotation
  }
  const ownerOf = async (code: string) => {
    const lead = await arrive(code)
    return eventually(async () => {
      portal.clock.advance(1_000)
      const owner = (await lead())?.instanceName ?? null
      expect(owner).not.toBeNull()
      return owner
    })
  }

  test('gets the lead where the rotation says so, also outside it', async () => {
    await office(true)
    expect(await ownerOf('AP-1')).toBe(bia.instanceName)
    const { rows } = await db.query<{ reason: string }>(
      `select e.decision -> 'verdicts' -> 0 ->> 'reason' as reason from portal.roleta_events e where e.kind = 'given'`,
    )
    expect(rows).toEqual([{ reason: 'lister' }])
  })

  test('gets none where the rotation does not say so', async () => {
    await office(false)
    expect(await ownerOf('AP-1')).toBe(ana.instanceName)
  })

  test.each([
    ['is paused', `update public.brokers set paused_until = 'infinity' where "instanceName" = $1`],
    ['has no WhatsApp', `update portal.instance_states set state = 'close' where "instanceName" = $1`],
    ['is a central number', `update public.brokers set central_since = now() where "instanceName" = $1`],
  ])('who %s is passed over', async (_, sql) => {
    await office(true)
    await db.query(sql, [bia.instanceName])
    expect(await ownerOf('AP-1')).toBe(ana.instanceName)
  })

  test('is known by the user name, too', async () => {
    const rotation = await makeRotation(db, { empreendimento: 'Reserva Ipê', lister_first: true })
    await makeSeat(db, { roletaName: rotation.empreendimento, instanceName: ana.instanceName, ordem: 1 })
    await listed([{ code: 'AP-1', development: 'Reserva Ipê', lister: bia.username.toUpperCase() }])
    expect(await ownerOf('AP-1')).toBe(bia.instanceName)
  })
})
