// A number that belongs to a lead already is not added again.
import { test } from '#tests/e2e/composer.ts'
import { ON_THE_DEVICE, queue, waitingOn } from '#tests/e2e/outbox.ts'
import { call } from '#tests/support/portal.ts'
import { brokerNamed, tokenOf } from '#tests/support/browser/session.ts'
import { enterAsBroker, expect } from '#tests/support/browser/story.ts'

test.use(ON_THE_DEVICE)

test('quem já é seu abre; quem é de outra pessoa é recusado sem dizer de quem', async ({
  page,
  portalUrl,
}) => {
  await enterAsBroker(page)
  const sheet = page.getByRole('dialog', { name: 'Adicionar lead' })
  const openSheet = () => page.getByRole('button', { name: 'Adicionar lead' }).click()
  const token = await tokenOf(portalUrl, brokerNamed('rafael'))
  const [theirs] = (
    await call<{ number: string; name: string }[]>(
      `${portalUrl}/rest/v1/whatsapp_contacts?select=number,name&limit=1&order=id`,
      { token },
    )
  ).body
  await openSheet()
  await sheet.getByLabel('Nome').fill('Outra Pessoa')
  await sheet.getByLabel('WhatsApp').fill(theirs!.number)
  await sheet.getByRole('button', { name: 'Adicionar lead' }).click()
  await expect(
    sheet.getByText('Este número é de outra pessoa da equipe. O administrador pode passar o lead.'),
  ).toBeVisible()
  await expect(sheet).not.toContainText(theirs!.name)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Descartar' }).click()
  await expect(sheet).toBeHidden()
  await expect.poll(() => waitingOn(page)).toEqual([])

  const [own] = (
    await call<{ number: string }[]>(
      `${portalUrl}/rest/v1/whatsapp_contacts?select=number&name=eq.Marina%20Tavares`,
      { token: await tokenOf(portalUrl, brokerNamed('camila')) },
    )
  ).body
  await openSheet()
  await sheet.getByLabel('WhatsApp').fill(own!.number)
  await expect(sheet.getByText('Este número já está com você: Marina Tavares')).toBeVisible()
  await expect(sheet.getByRole('button', { name: 'Adicionar lead' })).toBeDisabled()
  await sheet.getByRole('button', { name: 'Abrir' }).click()
  await expect(page.getByRole('dialog', { name: /Marina Tavares/ })).toBeVisible()
  await expect(queue(page)).toBeHidden()
  await page.goBack()
  await expect(page.getByRole('dialog', { name: /Marina Tavares/ })).toBeHidden()
  await expect(sheet).toBeHidden()
})
