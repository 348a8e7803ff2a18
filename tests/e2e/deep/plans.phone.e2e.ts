// A broker without a signal accepts a plan for a silent lead; it starts later, and stops from the lead's sheet.
import { brokerNamed, tokenOf } from '#tests/support/browser/session.ts'
import { enterAsBroker, expect, expectAccessible } from '#tests/support/browser/story.ts'
import { call } from '#tests/support/portal.ts'
import { CAMILA, test, WRITING } from '#tests/e2e/composer.ts'

test.use(WRITING)

type Lead = { id: number; name: string }
type Plans = { plans: { contact_id: number; state: string; steps: object[] }[] }

/** Somebody who was answered over two days ago, and has nothing planned. */
async function silentLead(origin: string, token: string): Promise<Lead> {
  const before = Math.floor(Date.now() / 1000) - 3 * 86_400
  const query =
    `select=id,name&last_message_type=eq.outgoing&last_message_timestamp=lt.${before}` +
    '&status=eq.conversa&next=is.null&later=is.null&name=not.is.null&limit=1'
  const { body } = await call<Lead[]>(`${origin}/rest/v1/whatsapp_contacts?${query}`, { token })
  const [lead] = body
  if (!lead) throw new Error('no silent lead in the demonstration')
  return lead
}

test('sem sinal: aceito com um toque, começa quando a internet volta, e para na folha do lead', async ({
  page,
  context,
  whatsapp: { origin },
}) => {
  const token = await tokenOf(origin, brokerNamed('camila'))
  const lead = await silentLead(origin, token)
  const planOf = async () => {
    const { body } = await call<Plans>(`${origin}/rest/v1/rpc/get_plans`, {
      token,
      body: { p_broker_name: CAMILA },
    })
    return body.plans.find(({ contact_id: contactId }) => contactId === lead.id)
  }
  await enterAsBroker(page)
  await page.goto(`${origin}/broker?lead=${lead.id}`)
  const strip = page.getByRole('region', { name: 'Próximas tentativas' })
  await expect(strip).toBeVisible()
  await expectAccessible(page)
  await page.screenshot({ path: test.info().outputPath('strip.png') })
  await context.setOffline(true)
  await strip.getByRole('button', { name: 'Aceitar as três' }).click()
  await expect(page.getByText('Plano aceito: 3 tentativas').first()).toBeVisible()
  expect(await planOf()).toBeUndefined()

  await context.setOffline(false)
  await expect.poll(async () => (await planOf())?.state, { timeout: 30_000 }).toBe('running')
  expect((await planOf())?.steps).toHaveLength(3)

  await page.getByRole('button', { name: `Opções de ${lead.name}` }).click()
  await page.getByRole('menuitem', { name: 'Dados do lead' }).click()
  const card = page.getByRole('region', { name: 'Plano de tentativas' })
  await expect(card.getByText('0 de 3 feitas')).toBeVisible()
  await page.screenshot({ path: test.info().outputPath('card.png') })
  await card.getByRole('button', { name: 'Parar' }).click()
  await expect.poll(async () => (await planOf())?.state).toBe('ended')
})
