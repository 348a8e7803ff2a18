// Embedding related rows: every kind of relationship, hints, inner joins, spreads, filters on both ends.
import { afterAll, describe, expect, test } from 'vitest'
import { openRestScenario } from '#tests/support/schema/rest-scenario.ts'

const scenario = await openRestScenario()
afterAll(scenario.close)
const anon = scenario.client()

const get = async (path: string, init: RequestInit = {}): Promise<unknown> => {
  const answer = await scenario.request(path, init)
  const body: unknown = await answer.json()
  return answer.ok ? body : { status: answer.status, body }
}

describe('relationships', () => {
  test('many to one, one to many, one to one, nested', async () => {
    const { data } = await anon
      .from('offices')
      .select('name, agents(name, agent_details(phone))')
      .order('id')
      .order('id', { referencedTable: 'agents' })
    expect(data).toEqual([
      {
        name: 'Centro',
        agents: [
          { name: 'Ana', agent_details: { phone: '111' } },
          { name: 'Bia', agent_details: { phone: '222' } },
        ],
      },
      { name: 'Praia', agents: [{ name: 'Caio', agent_details: null }] },
      { name: 'Serra', agents: [] },
    ])
    const { data: back } = await anon
      .from('agent_details')
      .select('phone, agents(name, offices(name))')
      .eq('agent_id', 2)
    expect(back).toEqual([{ phone: '222', agents: { name: 'Bia', offices: { name: 'Centro' } } }])
  })

  test('a repeated embed requires an alias', async () => {
    const twice = (table: string) => ({
      status: 400,
      body: {
        code: '42712',
        message: `table name "${table}" specified more than once`,
        details: null,
        hint: null,
      },
    })
    expect(await get('/offices?select=id,agents(id),agents(name)')).toEqual(twice('offices_agents_1'))
    expect(await get('/offices?select=id,x:agents(id),x:agents(name)')).toEqual(twice('offices_x_1'))
    expect(await get('/offices?select=agents(offices(id),offices(name))')).toEqual(twice('agents_offices_2'))
    expect(await get('/agents?select=...offices(name),...offices(city)')).toEqual(twice('agents_offices_1'))
    expect(await get('/rpc/agents_of?office=1&select=offices(id),offices(name)')).toEqual(
      twice('agents_offices_1'),
    )
    expect(await get('/offices?id=eq.2&select=agents(id),x:agents(name)')).toEqual([
      { agents: [{ id: 3 }], x: [{ name: 'Caio' }] },
    ])
  })

  test('many to many through a join table, both ways', async () => {
    const { data } = await anon
      .from('listings')
      .select('id, features(label)')
      .lt('id', 4)
      .order('id')
      .order('label', { referencedTable: 'features' })
    expect(data).toEqual([
      { id: 1, features: [{ label: 'garagem' }, { label: 'mar' }] },
      { id: 2, features: [{ label: 'garagem' }] },
      { id: 3, features: [] },
    ])
    const { data: back } = await anon.from('features').select('label, listings(id)').eq('id', 2).order('id', {
      referencedTable: 'listings',
    })
    expect(back).toEqual([{ label: 'garagem', listings: [{ id: 1 }, { id: 2 }] }])
  })

  test('a key of two columns', async () => {
    expect(await get('/visits?select=id,units(floor)&order=id')).toEqual([
      { id: 1, units: { floor: 1 } },
      { id: 2, units: { floor: 1 } },
      { id: 3, units: { floor: 9 } },
      { id: 4, units: null },
    ])
    expect(
      await get('/units?select=number,visits(id)&building=eq.A&order=number&visits.order=id.desc'),
    ).toEqual([
      { number: 1, visits: [{ id: 2 }, { id: 1 }] },
      { number: 2, visits: [] },
    ])
  })

  test('a self-reference: by its column the parent, by its name the children', async () => {
    expect(
      await get('/agents?select=name,boss:mentor_id(name),agents(name)&id=lt.3&order=id&agents.order=id'),
    ).toEqual([
      { name: 'Ana', boss: null, agents: [{ name: 'Bia' }, { name: 'Caio' }] },
      { name: 'Bia', boss: { name: 'Ana' }, agents: [{ name: 'Décio, o "Bom"' }] },
    ])
  })

  test('computed relationships, one and many', async () => {
    expect(
      await get('/agents?select=name,home(city),juniors(name)&order=id&juniors.order=id&id=in.(1,4)'),
    ).toEqual([
      { name: 'Ana', home: { city: 'Curitiba' }, juniors: [{ name: 'Bia' }, { name: 'Caio' }] },
      { name: 'Décio, o "Bom"', home: null, juniors: [] },
    ])
  })

  test("views have the keys of their columns, under the view's names", async () => {
    expect(
      await get('/agent_cards?select=card,offices(name),listings!agent_id(id)&card=eq.1&listings.order=id'),
    ).toEqual([{ card: 1, offices: { name: 'Centro' }, listings: [{ id: 1 }, { id: 2 }] }])
    expect(await get('/cards_of_cards?select=inner_card,offices(name)&inner_card=eq.3')).toEqual([
      { inner_card: 3, offices: { name: 'Praia' } },
    ])
    expect(await get('/offices?select=id,agent_cards(card)&id=eq.2')).toEqual([
      { id: 2, agent_cards: [{ card: 3 }] },
    ])
    expect(await get('/mixed?select=id,agent_details(phone)')).toMatchObject({
      status: 400,
      body: { code: 'PGRST200' },
    })
    expect(await get('/shown_secrets?select=id,offices(name)')).toEqual([
      { id: 1, offices: { name: 'Centro' } },
    ])
  })

  test('a constraint or a column may name the table', async () => {
    expect(
      await get('/listings?select=id,agent_id(name),spare:listings_backup_id_fkey(name)&id=eq.1'),
    ).toEqual([{ id: 1, agent_id: { name: 'Ana' }, spare: { name: 'Bia' } }])
  })

  test('a hint chooses between two keys', async () => {
    expect(
      await get('/listings?select=a:agents!agent_id(name),b:agents!listings_backup_id_fkey(name)&id=eq.1'),
    ).toEqual([{ a: { name: 'Ana' }, b: { name: 'Bia' } }])
    expect(await get('/features?select=label,listings!listing_features(id)&id=eq.1')).toEqual([
      { label: 'mar', listings: [{ id: 1 }] },
    ])
  })
})

describe('what cannot be embedded', () => {
  test('two paths: 300 with both of them', async () => {
    expect(await get('/listings?select=id,agents(name)')).toEqual({
      status: 300,
      body: {
        code: 'PGRST201',
        message: "Could not embed because more than one relationship was found for 'listings' and 'agents'",
        details: [
          {
            cardinality: 'many-to-one',
            embedding: 'listings with agents',
            relationship: 'listings_agent_id_fkey using listings(agent_id) and agents(id)',
          },
          {
            cardinality: 'many-to-one',
            embedding: 'listings with agents',
            relationship: 'listings_backup_id_fkey using listings(backup_id) and agents(id)',
          },
        ],
        hint: "Try changing 'agents' to one of the following: 'agents!listings_agent_id_fkey', 'agents!listings_backup_id_fkey'. Find the desired relationship in the 'details' key.",
      },
    })
  })

  test('no path: 400 with the nearest name', async () => {
    expect(await get('/offices?select=id,agent(name)')).toEqual({
      status: 400,
      body: {
        code: 'PGRST200',
        message: "Could not find a relationship between 'offices' and 'agent' in the schema cache",
        details:
          "Searched for a foreign key relationship between 'offices' and 'agent' in the schema 'shop', but no matches were found.",
        hint: "Perhaps you meant 'agents' instead of 'agent'.",
      },
    })
    expect(await get('/offices?select=id,secrets(word)')).toMatchObject({
      status: 400,
      body: { code: 'PGRST200' },
    })
    expect(await get('/agents?select=offices!nonsense(name)')).toMatchObject({
      body: { code: 'PGRST200', details: expect.stringContaining("using the hint 'nonsense'") as string },
    })
  })

  test('a filter on a table that is not embedded', async () => {
    for (const query of ['offices.name=eq.x', 'offices.order=id', 'offices.limit=1', 'offices.or=(id.eq.1)'])
      expect(await get(`/agents?select=id&${query}`)).toEqual({
        status: 400,
        body: {
          code: 'PGRST108',
          message: "'offices' is not an embedded resource in this request",
          details: null,
          hint: "Verify that 'offices' is included in the 'select' query parameter.",
        },
      })
  })
})

describe('rows of both ends', () => {
  test('multiplying levels are refused before anything runs', async () => {
    const answer = await scenario.request('/agents?select=id,offices(id,agents(id,offices(id,agents(id))))')
    expect([answer.status, await answer.json()]).toMatchObject([400, { code: 'PGRSTX05' }])
  })

  test('filters, order, limit and offset apply inside the embed', async () => {
    const { data } = await anon
      .from('offices')
      .select('id, agents(id)')
      .eq('id', 1)
      .gt('agents.id', 0)
      .or('id.eq.1,id.eq.2', { referencedTable: 'agents' })
      .order('id', { referencedTable: 'agents', ascending: false })
      .range(1, 1, { referencedTable: 'agents' })
    expect(data).toEqual([{ id: 1, agents: [{ id: 1 }] }])
    expect(
      await get('/offices?select=id,people:agents(id)&people.id=eq.3&people.not.and=(id.eq.1)&id=eq.2'),
    ).toEqual([{ id: 2, people: [{ id: 3 }] }])
  })

  test('inner keeps only rows that have one, and counts so', async () => {
    const { data, count } = await anon
      .from('offices')
      .select('id, agents!inner(id)', { count: 'exact' })
      .eq('agents.name', 'Caio')
    expect([data, count]).toEqual([[{ id: 2, agents: [{ id: 3 }] }], 1])
    expect(
      await get('/agents?select=id,offices!inner(agents!inner(agent_details!inner(phone)))&order=id'),
    ).toEqual([
      {
        id: 1,
        offices: { agents: [{ agent_details: { phone: '111' } }, { agent_details: { phone: '222' } }] },
      },
      {
        id: 2,
        offices: { agents: [{ agent_details: { phone: '111' } }, { agent_details: { phone: '222' } }] },
      },
    ])
  })

  test('an embed may be tested for null, also without being selected', async () => {
    expect(await get('/agents?select=id,offices()&offices=is.null')).toEqual([{ id: 4 }])
    expect(await get('/agents?select=id,agent_details(phone)&agent_details=not.is.null&order=id')).toEqual([
      { id: 1, agent_details: { phone: '111' } },
      { id: 2, agent_details: { phone: '222' } },
    ])
    expect(
      await get(
        '/agents?select=id,offices(),juniors()&offices.city=eq.Santos&juniors.name=eq.Caio&or=(offices.not.is.null,juniors.not.is.null)&order=id',
        { headers: { prefer: 'count=exact' } },
      ),
    ).toEqual([{ id: 1 }, { id: 3 }])
    expect(await get('/offices?select=id,agents()&agents.name=eq.x')).toHaveLength(3)
  })

  test('rows may be ordered by their single related row', async () => {
    expect(await get('/agents?select=id,offices(name)&order=offices(name).desc.nullslast,id.desc')).toEqual([
      { id: 3, offices: { name: 'Praia' } },
      { id: 2, offices: { name: 'Centro' } },
      { id: 1, offices: { name: 'Centro' } },
      { id: 4, offices: null },
    ])
    expect(await get('/offices?select=id,agents(id)&order=agents(id)')).toEqual({
      status: 400,
      body: {
        code: 'PGRST118',
        message: "A related order on 'agents' is not possible",
        details: "'offices' and 'agents' do not form a many-to-one or one-to-one relationship",
        hint: null,
      },
    })
    expect(await get('/agents?select=id&order=offices(name)')).toMatchObject({ body: { code: 'PGRST108' } })
  })
})

describe('spreads', () => {
  test('one row gives its columns, many rows give a list of each', async () => {
    expect(
      await get('/agents?select=id,...offices(office:name,...agents(names:name))&id=in.(1,4)&order=id'),
    ).toEqual([
      { id: 1, office: 'Centro', names: ['Ana', 'Bia'] },
      { id: 4, office: null, names: null },
    ])
    expect(
      await get('/offices?select=id,...agents(name,agent_details(phone))&order=id&agents.order=id'),
    ).toEqual([
      { id: 1, name: ['Ana', 'Bia'], agent_details: [{ phone: '111' }, { phone: '222' }] },
      { id: 2, name: ['Caio'], agent_details: [null] },
      { id: 3, name: [], agent_details: [] },
    ])
  })

  test('aggregates of a spread are computed by the outer row', async () => {
    expect(
      await get('/agents?select=score.sum(),...offices(name,count())&order=offices(name).nullslast'),
    ).toEqual([
      { sum: 16.5, name: 'Centro', count: 2 },
      { sum: null, name: 'Praia', count: 1 },
      { sum: 100.25, name: null, count: 0 },
    ])
    expect(await get('/offices?select=id,...agents(score.sum())')).toEqual({
      status: 400,
      body: {
        code: 'PGRST127',
        message: 'Feature not implemented',
        details: 'Aggregates are not implemented for one-to-many or many-to-many spreads.',
        hint: null,
      },
    })
  })

  test('aggregates count within an embed, and group by an embed', async () => {
    const { data } = await anon.from('offices').select('id, agents(count)').order('id')
    expect(data).toEqual([
      { id: 1, agents: [{ count: 2 }] },
      { id: 2, agents: [{ count: 1 }] },
      { id: 3, agents: [{ count: 0 }] },
    ])
    expect(
      await get('/agents?select=total:score.sum(),offices(name)&office_id=not.is.null&order=office_id'),
    ).toMatchObject({
      status: 400,
      body: { code: '42803' },
    })
    expect(await get('/agents?select=office_id,total:score.sum(),offices(name)&order=office_id')).toEqual([
      { office_id: 1, total: 16.5, offices: { name: 'Centro' } },
      { office_id: 2, total: null, offices: { name: 'Praia' } },
      { office_id: null, total: 100.25, offices: null },
    ])
  })
})
