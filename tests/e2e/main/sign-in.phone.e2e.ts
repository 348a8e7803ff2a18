// A broker signs in: in two steps, the first time, not through the administrators' page, and signs out.
import type { APIRequestContext } from '@playwright/test'
import { enterAsBroker, expect, NO_NETWORK, REFUSED, test } from '#tests/support/browser/story.ts'

test.use({ expectedNoise: { patterns: [REFUSED, NO_NETWORK] } })

test('a corretora entra em duas etapas e vê os seus leads', async ({ page }) => {
  await page.goto('/')
  await expect(page).toHaveURL('/login')
  await expect(page.getByRole('heading', { name: 'Portal do Corretor RHS' })).toBeVisible()
  await expect(page.getByText('Acesse sua área exclusiva')).toBeVisible()
  await expect(page.getByText('Sistema desenvolvido para a RHS')).toBeVisible()
  await page.getByLabel('Usuário').fill('camila')
  await page.keyboard.press('Enter')
  await page.getByLabel('Senha', { exact: true }).fill('demo-corretor')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/broker/)
  await expect(page.getByRole('article', { name: /^Marina Tavares/ })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Conversas' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Remarketing' })).toBeVisible()
})

test('o primeiro acesso define a senha e entra', async ({ page, request, portalUrl }) => {
  await resetPassword(request, portalUrl, 'corretor_novato')
  await page.goto('/login')
  await page.getByLabel('Usuário').fill('novato')
  await page.getByRole('button', { name: 'Continuar' }).click()
  await page.getByLabel('Nova senha', { exact: true }).fill('chave-da-casa')
  await page.getByLabel('Confirme a nova senha').fill('chave-do-carro')
  await page.getByRole('button', { name: 'Definir nova senha' }).click()
  await expect(page.getByText('As senhas não coincidem')).toBeVisible()
  await page.getByLabel('Nova senha', { exact: true }).fill('chave-da-casa')
  await page.getByLabel('Confirme a nova senha').fill('chave-da-casa')
  await page.getByRole('button', { name: 'Definir nova senha' }).click()
  await expect(page).toHaveURL(/\/broker/)

  await page.reload()
  await expect(page).toHaveURL(/\/broker/)
})

test('cada um fica na sua área, e Sair fecha a porta', async ({ page }) => {
  await enterAsBroker(page)
  for (const foreign of ['/', '/crm', '/roleta', '/login', '/panel', '/nada']) {
    await page.goto(foreign)
    await expect(page).toHaveURL(/\/broker/)
  }
  await page.getByRole('button', { name: /camila/i }).click()
  await page.getByRole('button', { name: 'Sair' }).click()
  await expect(page).toHaveURL('/login')
  await page.goto('/broker')
  await expect(page).toHaveURL('/login')
})

/** Like the button on the administrator's card: sets the marker to null. */
async function resetPassword(request: APIRequestContext, portalUrl: string, instanceName: string) {
  const session = await request.post(`${portalUrl}/auth/v1/token?grant_type=password`, {
    data: { email: 'admin@admin.local', password: 'demo-admin' },
  })
  const { access_token: token } = (await session.json()) as { access_token: string }
  const answer = await request.patch(`${portalUrl}/rest/v1/brokers?instanceName=eq.${instanceName}`, {
    data: { password_hash: null },
    headers: { authorization: `Bearer ${token}` },
  })
  expect(answer.ok()).toBe(true)
}
