// Agents' prompts and forgetting a chat: columns, locks, refusals, all forms of a number.
import { expect, test } from 'vitest'
import { asUser, type Claims } from '#server/db/as-user.ts'
import type { SqlValue } from '#server/db/database.ts'
import { PROMPTS } from '#tests/support/schema/row-rules.ts'
import { makeAgent, makeChatMessage, makeContact } from '#tests/support/make.ts'
import { openStaff } from '#tests/support/staff.ts'

const { base, ana, asAna: asBroker, asAdmin } = await openStaff()
const instance = ana.instanceName

async function call(claims: Claims, sql: string, values: SqlValue[] = []) {
  return (await asUser(base.db, claims, (query) => query(`select * from public.${sql}`, values))).rows
}

const ONLY_ADMIN = { code: '42501', message: 'Somente um administrador pode fazer isto.' }

test('agents are listed by name and read by id; a broker sees none', async () => {
  const second = await makeAgent(base.db, { nome_agente: 'Lia', empreendimento: 'Vista Mar' })
  const first = await makeAgent(base.db, { nome_agente: 'Bento' })
  expect(await call(asAdmin, 'get_prompts_agents()')).toEqual([
    { id: first.id, nome_agente: 'Bento', empreendimento: null },
    { id: second.id, nome_agente: 'Lia', empreendimento: 'Vista Mar' },
  ])
  const [row] = await call(asAdmin, 'get_prompt_by_id($1)', [second.id])
  expect(Object.keys(row ?? {})).toEqual(
    expect.arrayContaining(['id', 'nome_agente', ...PROMPTS, 'listar_horarios', 'agendamento']),
  )
  expect(await call(asAdmin, 'get_prompt_by_id(0)')).toEqual([])
  expect(await call(asBroker, 'get_prompts_agents()')).toEqual([])
  expect(await call(asBroker, 'get_prompt_by_id($1)', [second.id])).toEqual([])
})

test.each(PROMPTS)('%s is written and read back, quotes and all', async (column) => {
  const agent = await makeAgent(base.db)
  const text = `Diga "olá" à pessoa; não prometa preço.\n'; drop table brokers; --`
  await call(asAdmin, 'update_coluna_prompt(p_id => $1, p_coluna => $2, p_valor => $3)', [
    agent.id,
    column,
    text,
  ])
  expect(await call(asAdmin, 'get_coluna_prompt(p_coluna => $1, p_id => $2)', [column, agent.id])).toEqual([
    { get_coluna_prompt: text },
  ])
  await call(asAdmin, 'update_coluna_prompt($1, $2, $3)', [agent.id, column, ''])
  expect(await call(asAdmin, 'get_coluna_prompt($1, $2)', [column, agent.id])).toEqual([
    { get_coluna_prompt: '' },
  ])
})

test.each(['listar_horarios', 'agendamento'])('%s is read but never written', async (column) => {
  const agent = await makeAgent(base.db, { [column]: 'fixo' })
  expect(await call(asAdmin, 'get_coluna_prompt($1, $2)', [column, agent.id])).toEqual([
    { get_coluna_prompt: 'fixo' },
  ])
  await expect(
    call(asAdmin, 'update_coluna_prompt($1, $2, $3)', [agent.id, column, 'x']),
  ).rejects.toMatchObject({
    code: '42501',
    message: 'Este campo é bloqueado para edição.',
  })
})

test.each([['id'], ['nome_agente'], ['created_at'], ['regras_atendimento"; drop table x'], [''], [null]])(
  'the column %j is unknown',
  async (column) => {
    const agent = await makeAgent(base.db)
    const unknown = { code: '22023', message: 'Prompt ou campo não encontrado.' }
    await expect(call(asAdmin, 'get_coluna_prompt($1, $2)', [column, agent.id])).rejects.toMatchObject(
      unknown,
    )
    await expect(
      call(asAdmin, 'update_coluna_prompt($1, $2, $3)', [agent.id, column, 'x']),
    ).rejects.toMatchObject(unknown)
  },
)

test('an unknown agent is not found, an empty prompt is refused, a broker may neither read nor write', async () => {
  const agent = await makeAgent(base.db)
  const column = 'regras_atendimento'
  await expect(call(asAdmin, 'get_coluna_prompt($1, 0)', [column])).rejects.toMatchObject({ code: 'PT404' })
  await expect(call(asAdmin, `update_coluna_prompt(0, $1, 'x')`, [column])).rejects.toMatchObject({
    code: 'PT404',
  })
  await expect(call(asAdmin, 'update_coluna_prompt($1, $2, null)', [agent.id, column])).rejects.toMatchObject(
    {
      code: '22023',
    },
  )
  await expect(call(asBroker, 'get_coluna_prompt($1, $2)', [column, agent.id])).rejects.toMatchObject(
    ONLY_ADMIN,
  )
  await expect(call(asBroker, `update_coluna_prompt($1, $2, 'x')`, [agent.id, column])).rejects.toMatchObject(
    ONLY_ADMIN,
  )
})

test("a written prompt updates the agent's date", async () => {
  const agent = await makeAgent(base.db, { updated_at: '2020-01-01T00:00:00Z' })
  await call(asAdmin, `update_coluna_prompt($1, 'regras_atendimento', 'x')`, [agent.id])
  const { rows } = await base.db.query(
    `select updated_at > now() - interval '1 hour' as fresh from public.prompts_agents where id = $1`,
    [agent.id],
  )
  expect(rows).toEqual([{ fresh: true }])
})

const countOf = async (agentId: number) =>
  (await base.db.query('select count(*) as n from public.agent_chat_messages where agent_id = $1', [agentId]))
    .rows[0]?.['n']

test('forgetting a chat covers every form of the number and its hidden ids, of that agent only', async () => {
  const [agent, other] = [await makeAgent(base.db), await makeAgent(base.db)]
  const person = await makeContact(base.db, instance, { number: '5511977776666' })
  await base.db.query(
    `insert into portal.identities (jid, "instanceName", person_id) values ('778899@lid', $1, $2)`,
    [instance, person.person_id],
  )
  for (const jid of ['5511977776666@s.whatsapp.net', '551177776666@s.whatsapp.net', '778899@lid'])
    await makeChatMessage(base.db, agent.id, jid)
  await makeChatMessage(base.db, agent.id, '5511977776667@s.whatsapp.net')
  await makeChatMessage(base.db, agent.id, '998877@lid')
  await makeChatMessage(base.db, other.id, '5511977776666@s.whatsapp.net')
  const forget = () =>
    call(asAdmin, 'deletar_chat_history_por_empreendimento(p_empreendimento_id => $1, p_remotejid => $2)', [
      agent.id,
      '551177776666@s.whatsapp.net',
    ])
  expect(await forget()).toEqual([{ deletar_chat_history_por_empreendimento: 3 }])
  expect(await forget()).toEqual([{ deletar_chat_history_por_empreendimento: 0 }])
  expect([await countOf(agent.id), await countOf(other.id)]).toEqual([2, 1])
})

test('a mobile number is forgotten in each written form, a landline keeps its own', async () => {
  const agent = await makeAgent(base.db)
  const forget = async (jid: string) =>
    (await call(asAdmin, 'deletar_chat_history_por_empreendimento($1, $2)', [agent.id, jid]))[0]?.[
      'deletar_chat_history_por_empreendimento'
    ]
  const forms = ['5511909286840', '11909286840', '551109286840']
  for (const form of forms) {
    await makeChatMessage(base.db, agent.id, '5511909286840@s.whatsapp.net')
    expect([form, await forget(`${form}@s.whatsapp.net`)]).toEqual([form, 1])
  }
  // (11) 92345-6789 without its ninth digit is the landline (11) 2345-6789.
  const [mobile, landline] = ['5511923456789@s.whatsapp.net', '551123456789@s.whatsapp.net']
  for (const jid of [mobile, landline]) await makeChatMessage(base.db, agent.id, jid)
  expect([await forget(landline), await countOf(agent.id)]).toEqual([1, 1])
  expect([await forget(landline), await countOf(agent.id)]).toEqual([1, 0])
})

test('forgetting needs a number and an administrator; an unknown agent has nothing to forget', async () => {
  const agent = await makeAgent(base.db)
  const sql = 'deletar_chat_history_por_empreendimento($1, $2)'
  for (const jid of ['@s.whatsapp.net', '778899@lid', '', null])
    await expect(call(asAdmin, sql, [agent.id, jid])).rejects.toMatchObject({
      code: '22023',
      message: 'Por favor, informe um número de telefone válido.',
    })
  await expect(call(asBroker, sql, [agent.id, '5511977776666@s.whatsapp.net'])).rejects.toMatchObject(
    ONLY_ADMIN,
  )
  expect(await call(asAdmin, sql, [0, '5511977776666@s.whatsapp.net'])).toEqual([
    { deletar_chat_history_por_empreendimento: 0 },
  ])
})
