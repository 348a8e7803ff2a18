// The assistant's draft on a broker's phone: used, dismissed, and never shown without a source.
import { call } from '#tests/support/portal.ts'
import { connect } from '#tests/support/browser/e2e-portal.ts'
import { brokerNamed, tokenOf } from '#tests/support/browser/session.ts'
import { enterAsBroker, expect, expectAccessible } from '#tests/support/browser/story.ts'
import { AGENT } from '#tests/e2e/agents.ts'
import { bubble } from '#tests/e2e/composer.ts'
import { test } from '#tests/e2e/assistant.ts'

const DRAFT = 'Oi! Quer que eu veja os horários de visita?'

test('o rascunho do modelo vai para o campo e só sai pelo Enviar; o que não tem fonte ninguém vê', async ({
  page,
  whatsapp,
}) => {
  await connect(whatsapp, { username: 'camila', number: '5511955550101' })
  const lead = await leadToDraftFor(whatsapp.origin)
  const writes = (text: string) =>
    whatsapp.simulator.control.receive({
      instance: 'corretor_camila',
      from: lead.number,
      name: lead.name,
      text,
    })
  writes('Queria conhecer')
  const written = page.waitForResponse(/\/suggestion$/)
  await enterAsBroker(page, 'camila', `/broker?lead=${lead.id}`)
  const log = page.getByRole('log', { name: 'Mensagens' })
  await expect(log.getByText('Queria conhecer')).toBeVisible()
  expect(await (await written).json()).toMatchObject({ suggestion: { text: DRAFT } })
  const draft = page.getByRole('region', { name: 'Sugestão do assistente' })
  await expect(draft.getByText(DRAFT)).toBeVisible()
  await expectAccessible(page)
  await draft.getByRole('button', { name: 'Usar' }).click()
  await expect(page.getByRole('textbox', { name: 'Mensagem' })).toHaveValue(DRAFT)
  await expect(log.getByText(DRAFT)).toHaveCount(0)
  await page.getByRole('button', { name: 'Enviar', exact: true }).click()
  await expect(bubble(log, DRAFT).getByText('lida')).toBeAttached()

  // A refused draft is never shown; the lead's next message gets a new one.
  const refused = page.waitForResponse(/\/suggestion$/)
  writes('Quanto custa o de 2?')
  expect(await (await refused).json()).toMatchObject({ suggestion: null })
  writes('Tem tabela?')
  await expect(draft.getByText('O corretor confirma os valores com você.')).toBeVisible()
  await expect(page.getByText('350 mil')).toHaveCount(0)
  await draft.getByRole('button', { name: 'Dispensar' }).click()
  await expect(draft).toHaveCount(0)
})

/** Camila's first lead of the agent's development that has not opted out, which would get no draft. */
async function leadToDraftFor(origin: string) {
  const token = await tokenOf(origin, brokerNamed('camila'))
  const { body: leads } = await call<{ id: number; name: string; number: string }[]>(
    `${origin}/rest/v1/whatsapp_contacts?select=id,name,number&empreendimento=eq.${encodeURIComponent(AGENT)}&order=id`,
    { token },
  )
  const { body: board } = await call<{ leads: { id: number; opted_out: boolean }[] }>(
    `${origin}/rest/v1/rpc/sync_board`,
    { token, body: { p_instance: 'corretor_camila' } },
  )
  const isReachable = new Set(board.leads.filter((each) => !each.opted_out).map(({ id }) => id))
  const lead = leads.find(({ id }) => isReachable.has(id))
  if (!lead) throw new Error(`Camila has no lead of ${AGENT} who may be written to`)
  return lead
}
