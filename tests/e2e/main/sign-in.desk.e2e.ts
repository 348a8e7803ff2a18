// An administrator signs in.
import { expect, REFUSED, test } from '#tests/support/browser/story.ts'

test.use({ expectedNoise: { patterns: [REFUSED] } })

test('o administrador entra pelo painel e só a senha certa abre', async ({ page }) => {
  await page.goto('/panel')
  await expect(page.getByRole('heading', { name: 'Painel Administrativo RHS' })).toBeVisible()
  await expect(page.getByText('Acesso restrito a administradores')).toBeVisible()
  await page.getByLabel('Usuário Administrador').fill('admin')
  await page.getByLabel('Senha', { exact: true }).fill('errada')
  await page.getByRole('button', { name: 'Entrar como Administrador' }).click()
  await expect(page.getByText('Credenciais de administrador inválidas')).toBeVisible()
  await page.getByLabel('Senha', { exact: true }).fill('demo-admin')
  await page.getByRole('button', { name: 'Entrar como Administrador' }).click()
  await expect(page).toHaveURL('/')
  for (const tab of ['WhatsApp', 'Relatórios', 'Remarketing', 'CRM', 'Agentes', 'Roleta'])
    await expect(page.getByRole('link', { name: tab })).toBeVisible()
  // All of it stands in one row: no sheet of other screens takes away rules of this one.
  const header = await page.getByRole('banner').boundingBox()
  expect(header?.height).toBeLessThan(80)
})
