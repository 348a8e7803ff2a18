// Service tokens through the whole portal, with the official client: each grant allows exactly its actions, and a
// revoked or expired token none.
import { createClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createServiceTokens, GRANTS, type Grant } from '#server/auth/tokens/service-tokens.ts'
import { createTokens } from '#server/auth/tokens/token.ts'
import type { Claims } from '#server/db/as-user.ts'
import { SqlError } from '#server/db/database.ts'
import { openBase } from '#tests/support/database.ts'
import { FUNCTION_RULES } from '#tests/support/schema/function-rules.ts'
import { JWT_SECRET, openWhatsapp } from '#tests/support/whatsapp.ts'
import { makeChatMessage, tryAs } from '#tests/support/make.ts'
import { TABLE_RULES } from '#tests/support/schema/row-rules.ts'
import { makeScenario } from '#tests/support/schema/rules-scenario.ts'

const base = await openBase()
const scenario = await makeScenario(base.db)
const portal = await openWhatsapp(base.db)
const services = createServiceTokens({
  db: base.db,
  clock: portal.clock,
  tokens: createTokens(JWT_SECRET, portal.clock),
})
afterAll(() => portal.close())

/** Replaces the WebSocket that older Nodes lack and the client requires; nothing here is live. */
function NoSocket() {
  throw new Error('nothing here opens a socket')
}

const mint = (...grants: Grant[]) => services.mint({ name: 'n8n', grants, days: 30 })

function connect(token: string) {
  return createClient('http://portal.test', 'key', {
    accessToken: async () => token,
    global: {
      fetch: async (input, init) => {
        const { url } = new Request(input, init)
        return portal.request(url.replace('http://portal.test', ''), init)
      },
    },
    realtime: { transport: NoSocket as never },
  })
}

const connected = async (...grants: Grant[]) => connect((await mint(...grants)).token)

test('an agent reads its prompts by every documented call, and may not write them', async () => {
  const agent = await connected('prompts:read')
  expect((await agent.rpc('get_prompts_agents')).data).toEqual([
    expect.objectContaining({ id: scenario.agentId }),
  ])
  expect((await agent.rpc('get_prompt_by_id', { p_id: scenario.agentId })).data).toMatchObject([
    { regras_atendimento: 'zzalheio', agendamento: '' },
  ])
  const column = { p_coluna: 'regras_atendimento', p_id: scenario.agentId }
  expect((await agent.rpc('get_coluna_prompt', column)).data).toBe('zzalheio')
  expect((await agent.from('agent_prompts').select().limit(1)).data).toHaveLength(1)

  expect(await agent.rpc('update_coluna_prompt', { ...column, p_valor: 'x' })).toMatchObject({
    status: 403,
    error: { message: 'Este token de serviço não tem a permissão prompts:write.' },
  })
  const patch = { regras_atendimento: 'x' }
  expect((await agent.from('prompts_agents').update(patch).eq('id', scenario.agentId).select()).data).toEqual(
    [],
  )
  expect((await agent.rpc('get_coluna_prompt', column)).data).toBe('zzalheio')
})

test('one with the grant writes by the function and by PATCH; its name is in the versions; the rest stays closed', async () => {
  const agent = await connected('prompts:write')
  const column = { p_coluna: 'introducao_atendimento', p_id: scenario.agentId }
  expect((await agent.rpc('update_coluna_prompt', { ...column, p_valor: 'Olá' })).error).toBeNull()
  expect((await agent.rpc('get_coluna_prompt', column)).data).toBe('Olá')
  const byPatch = await agent
    .from('prompts_agents')
    .update({ introducao_atendimento: 'Oi' })
    .eq('id', scenario.agentId)
  expect(byPatch.error).toBeNull()
  const { rows } = await base.db.query(
    `select body, saved_by from public.prompt_versions where field = 'introducao_atendimento' order by id`,
  )
  expect(rows).toEqual([
    { body: 'Olá', saved_by: 'n8n' },
    { body: 'Oi', saved_by: 'n8n' },
  ])
  for (const change of [{ nome_agente: 'Meu' }, { empreendimento: 'Meu' }, { instanceName: 'x' }])
    expect(await agent.from('prompts_agents').update(change).eq('id', scenario.agentId)).toMatchObject({
      status: 403,
      error: { message: 'Um serviço só muda os textos do agente.' },
    })
  expect(
    await agent.rpc('update_coluna_prompt', {
      p_coluna: 'agendamento',
      p_id: scenario.agentId,
      p_valor: 'x',
    }),
  ).toMatchObject({ status: 403 })
})

test('the pause is read by any form of the number, with the grant', async () => {
  const agent = await connected('pauses:read')
  const number = scenario.own.number
  const of = (p_remotejid: string | null) =>
    agent.rpc('get_agent_pause', { p_id: scenario.agentId, p_remotejid })
  expect((await of(number)).data).toEqual({ paused: false, reason: null, by: null, since: null, until: null })
  await tryPause(scenario.own.contactId, 30)
  for (const form of [`${number}@s.whatsapp.net`, number, number.replace(/^(55\d\d)9/, '$1')])
    expect((await of(form)).data).toMatchObject({ paused: true, reason: 'person', until: expect.any(String) })
  expect((await of('5511900000000')).data).toMatchObject({ paused: false })
  expect(
    (await (await connected('prompts:read')).rpc('get_agent_pause', { p_id: scenario.agentId })).status,
  ).toBe(403)
})

const tryPause = (contactId: number, minutes: number) =>
  base.db.transaction(async (query) => {
    await query(`select set_config('request.jwt.claims', $1, true)`, [JSON.stringify(scenario.claims.admin)])
    await query('select public.pause_conversation($1, $2, true, $3)', [scenario.agentId, contactId, minutes])
  })

test("an agent's memory of a chat is written, read and deleted with its grant", async () => {
  const agent = await connected('memory')
  const jid = '5511974443333@s.whatsapp.net'
  const said = { agent_id: scenario.agentId, remotejid: jid, message: { type: 'human', content: 'Oi' } }
  expect((await agent.from('agent_chat_messages').insert(said)).error).toBeNull()
  expect((await agent.from('agent_chat_messages').select('message').eq('remotejid', jid)).data).toEqual([
    { message: said.message },
  ])
  const asked = { p_empreendimento_id: scenario.agentId, p_remotejid: '551174443333@s.whatsapp.net' }
  expect((await agent.rpc('deletar_chat_history_por_empreendimento', asked)).data).toEqual([1])
  await makeChatMessage(base.db, scenario.agentId, jid)
  const other = await connected('prompts:write', 'pauses:read')
  expect((await other.from('agent_chat_messages').select()).data).toEqual([])
  expect(await other.rpc('deletar_chat_history_por_empreendimento', asked)).toMatchObject({ status: 403 })
})

test('a token is refused if it is revoked, expired, or signed for another row', async () => {
  const { token, service } = await mint('prompts:read')
  const second = await mint('prompts:read')
  const ask = async (bearer: string) => (await connect(bearer).rpc('get_prompts_agents')).status
  expect([await ask(token), await ask(second.token)]).toEqual([200, 200])
  expect(await services.revoke(service.id)).toBe(1)
  expect([await ask(token), await ask(second.token)]).toEqual([401, 200])
  await expect(services.revoke(service.id)).rejects.toMatchObject({ code: 'token.unknown' })
  expect((await services.list()).find(({ id }) => id === service.id)).toMatchObject({
    name: 'n8n',
    grants: ['prompts:read'],
    revokedAt: expect.any(String),
  })

  const foreign = createTokens('another secret of somebody else, long enough', portal.clock)
  const forged = await foreign.signService({ ...second.service, expiresAtSeconds: 4_102_444_800 })
  expect(await ask(forged)).toBe(401)
  await base.db.query(`update portal.service_tokens set expires_at = now() where id = $1`, [
    second.service.id,
  ])
  expect(await ask(second.token)).toBe(401)
})

test('none of the portal’s own addresses accepts a service', async () => {
  const { token } = await mint(...GRANTS)
  const headers = { authorization: `Bearer ${token}` }
  for (const path of ['/api/agents', '/api/brokers', '/api/events', '/api/campaigns/active', '/auth/v1/user'])
    expect([401, 403]).toContain((await portal.request(path, { headers })).status)
})

describe('with every grant', () => {
  const OPEN_TABLES = ['prompts_agents', 'agent_prompts', 'agent_chat_messages']
  const OPEN_FUNCTIONS = [
    'deletar_chat_history_por_empreendimento',
    'get_agent_pause',
    'get_coluna_prompt',
    'get_prompt_by_id',
    'get_prompts_agents',
    'update_coluna_prompt',
  ]
  let claims: Claims
  beforeAll(async () => {
    const { service } = await mint(...GRANTS)
    claims = { role: 'authenticated', sub: service.id, session_id: service.id }
  })

  test.each(Object.keys(TABLE_RULES))('rows of %s', async (table) => {
    const seen = await tryAs(
      base.db,
      claims,
      async (query) => (await query(`select from public.${table}`)).rows.length,
    )
    expect(seen > 0).toBe(OPEN_TABLES.includes(table))
  })

  test.each(Object.entries(FUNCTION_RULES))('%s', async (name, rule) => {
    const found = await Promise.all(
      [scenario.own, scenario.other].map(async (side) => {
        const call = rule.call(side, scenario)
        const from = call.startsWith('(') ? call : `public.${call}`
        try {
          const text = await tryAs(
            base.db,
            claims,
            async (query) =>
              (
                await query<{ text: string | null }>(
                  `select jsonb_agg(to_jsonb(answer))::text as text from ${from} answer`,
                )
              ).rows[0]?.text,
          )
          return rule.answers(text ?? '', side)
        } catch (error) {
          if (error instanceof SqlError) return false
          throw error
        }
      }),
    )
    // Functions that answer everyone alike return nothing here.
    if (!OPEN_FUNCTIONS.includes(name)) expect(found).toEqual([false, false])
    else expect(found).toContain(true)
  })
})
