// A lead met in a lift: added offline, written to, and answering once online.
import { CAMILA, test } from '#tests/e2e/composer.ts'
import { enterAndSettle, ON_THE_DEVICE, waitingOn } from '#tests/e2e/outbox.ts'
import { call } from '#tests/support/portal.ts'
import { brokerNamed, tokenOf } from '#tests/support/browser/session.ts'
import { expect, expectAccessible } from '#tests/support/browser/story.ts'

test.use(ON_THE_DEVICE)

type Row = { id: number; number: string; source: string; notes: string }

async function leadsNamed(origin: string, name: string): Promise<Row[]> {
  const token = await tokenOf(origin, brokerNamed('camila'))
  const query = `whatsapp_contacts?select=id,number,source,notes&name=eq.${encodeURIComponent(name)}`
  return (await call<Row[]>(`${origin}/rest/v1/${query}`, { token })).body
}

test('no elevador: adiciona sem sinal, escreve, sincroniza e recebe a resposta', async ({
  page,
  context,
  whatsapp,
  portalUrl,
}) => {
  await enterAndSettle(page)
  // The chunks loaded in advance are there.
  await page.getByRole('button', { name: 'Adicionar lead' }).click()
  const sheet = page.getByRole('dialog', { name: 'Adicionar lead' })
  await expect(sheet.getByLabel('Nome')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
  await expect(page.getByRole('button', { name: 'Adicionar lead' })).toBeFocused()

  await context.setOffline(true)
  await page.getByRole('button', { name: 'Adicionar lead' }).click()
  const add = sheet.getByRole('button', { name: 'Adicionar lead' })
  await add.click()
  await expect(sheet.getByText('Falta o nome.')).toBeVisible()
  await expect(sheet.getByText('Este número não parece de WhatsApp.')).toBeVisible()
  await sheet.getByLabel('Nome').fill('Sandra Lemos')
  await sheet.getByLabel('WhatsApp').fill('90555-0148')
  await add.click()
  await expect(sheet.getByText('Falta o DDD.')).toBeVisible()
  await sheet.getByLabel('WhatsApp').fill('+55 11 90555-0148')
  await expect(sheet.getByLabel('WhatsApp')).toHaveValue('(11) 90555-0148')
  await expect(sheet.getByText('Conferimos se já é seu quando a internet voltar.')).toBeVisible()
  await sheet.getByLabel('Empreendimento').fill('Jardim das Acácias')
  await sheet.getByLabel('Indicação').check()
  await sheet.getByRole('button', { name: 'Nota' }).click()
  await sheet.getByRole('textbox', { name: 'Nota' }).fill('Do elevador')
  await expect(sheet.getByText('Fica na fila e entra quando a internet voltar.')).toBeVisible()
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'light' })
  await add.click()

  // The lead has its conversation already.
  const conversation = page.getByRole('dialog', { name: /Sandra Lemos/ })
  const box = conversation.getByRole('textbox', { name: 'Mensagem' })
  await box.fill('Oi, Sandra! Foi um prazer.')
  await conversation.getByRole('button', { name: 'Enviar', exact: true }).click()
  await expect(conversation.getByText('Oi, Sandra! Foi um prazer.')).toBeVisible()
  expect(await waitingOn(page)).toEqual(['lead.add queued', 'message.send queued'])

  // A reload loses nothing.
  await page.reload()
  await expect(conversation.getByText('Oi, Sandra! Foi um prazer.')).toBeVisible()
  expect(await leadsNamed(portalUrl, 'Sandra Lemos')).toEqual([])

  await context.setOffline(false)
  await expect(conversation.getByText('lida')).toBeAttached()
  const [lead, ...others] = await leadsNamed(portalUrl, 'Sandra Lemos')
  expect(others).toEqual([])
  expect(lead).toMatchObject({ number: '5511905550148', source: 'indicacao', notes: 'Do elevador' })
  await expect(page).toHaveURL(new RegExp(`lead=${lead?.id}`))
  await expect.poll(() => waitingOn(page)).toEqual([])

  whatsapp.simulator.control.receive({ instance: CAMILA, from: '5511905550148', text: 'Oi! Quero visitar.' })
  const lines = conversation.getByRole('log', { name: 'Mensagens' })
  await expect(lines.getByText('Oi! Quero visitar.')).toBeVisible()
  expect(await leadsNamed(portalUrl, 'Sandra Lemos')).toHaveLength(1)
})
