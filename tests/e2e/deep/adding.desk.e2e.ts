// An administrator adds a lead to a broker's board.
import { call } from '#tests/support/portal.ts'
import { brokerNamed, tokenOf } from '#tests/support/browser/session.ts'
import { enterAsAdmin, expect, expectAccessible, test } from '#tests/support/browser/story.ts'

test('o administrador adiciona um lead para um corretor', async ({ page, portalUrl }) => {
  await enterAsAdmin(page, '/crm')
  await page.getByRole('button', { name: 'Adicionar lead' }).click()
  const sheet = page.getByRole('dialog', { name: 'Adicionar lead' })
  await sheet.getByLabel('Nome').fill('Bruno Saraiva')
  await sheet.getByLabel('WhatsApp').fill('11905550163')
  await sheet.getByLabel('Corretor').selectOption('Rafael')
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  const token = await tokenOf(portalUrl, brokerNamed('rafael'))
  const address = `${portalUrl}/rest/v1/whatsapp_contacts?select=number&name=eq.Bruno%20Saraiva`
  await expect
    .poll(async () => (await call<{ number: string }[]>(address, { token })).body)
    .toEqual([{ number: '5511905550163' }])
  await expect(page.getByRole('dialog', { name: /Bruno Saraiva/ })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('dialog', { name: /Bruno Saraiva/ })).toBeHidden()
  await expect(sheet).toBeHidden()
})
