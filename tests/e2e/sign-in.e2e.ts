// Both logins with every text of SPEC.md 2.2, 2.3 and 8, and the guards of 2.1.
import type { APIRequestContext } from '@playwright/test'
import { enterAsAdmin, enterAsBroker, expect, NO_NETWORK, REFUSED, test } from '#tests/support/story.ts'

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

test('usuário e senha errados são ditos, limpos e focados', async ({ page }) => {
  await page.goto('/login')
  const username = page.getByLabel('Usuário')
  await username.fill('ninguem')
  await page.getByRole('button', { name: 'Continuar' }).click()
  await expect(page.getByText('Usuário incorreto')).toBeVisible()
  await expect(username).toHaveValue('')
  await expect(username).toBeFocused()

  await username.fill('rafael')
  await page.getByRole('button', { name: 'Continuar' }).click()
  const password = page.getByLabel('Senha', { exact: true })
  await password.fill('não é esta')
  await page.getByRole('button', { name: 'Entrar' }).click()
  await expect(page.getByText('Senha incorreta')).toBeVisible()
  await expect(password).toHaveValue('')
  await expect(password).toBeFocused()

  await page.getByRole('button', { name: 'Voltar' }).click()
  await expect(username).toHaveValue('rafael')
  await expect(page.getByText('Senha incorreta')).toBeHidden()
})

test('o primeiro acesso define a senha e entra', async ({ page, request, portalUrl }) => {
  await resetPassword(request, portalUrl, 'corretor_novato')
  await page.goto('/login')
  await page.getByLabel('Usuário').fill('novato')
  await page.getByRole('button', { name: 'Continuar' }).click()
  await page.getByLabel('Nova Senha', { exact: true }).fill('chave-da-casa')
  await page.getByLabel('Confirme a Nova Senha').fill('chave-do-carro')
  await page.getByRole('button', { name: 'Definir Nova Senha' }).click()
  await expect(page.getByText('As senhas não coincidem')).toBeVisible()
  await page.getByLabel('Nova Senha', { exact: true }).fill('chave-da-casa')
  await page.getByLabel('Confirme a Nova Senha').fill('chave-da-casa')
  await page.getByRole('button', { name: 'Definir Nova Senha' }).click()
  await expect(page).toHaveURL(/\/broker/)

  await page.reload()
  await expect(page).toHaveURL(/\/broker/)
})

test('o administrador entra pelo painel e só a senha certa abre', async ({ page }) => {
  await page.goto('/panel')
  await expect(page.getByRole('heading', { name: 'Painel Administrativo RHS' })).toBeVisible()
  await expect(page.getByText('Acesso restrito a administradores')).toBeVisible()
  await page.getByLabel('Usuário Administrador').fill('admin')
  await page.getByLabel('Senha', { exact: true }).fill('errada')
  await page.getByRole('button', { name: 'Entrar como Administrador' }).click()
  await expect(page.getByText('Credenciais de administrador inválidas')).toBeVisible()
  await enterAsAdmin(page)
  for (const tab of ['WhatsApp', 'Relatórios', 'Remarketing', 'CRM', 'Agentes', 'Roleta'])
    await expect(page.getByRole('link', { name: tab })).toBeVisible()
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

test('sem sinal o login espera e diz por quê', async ({ page, context }) => {
  await page.goto('/login')
  await expect(page.getByLabel('Usuário')).toBeVisible()
  await context.setOffline(true)
  await expect(page.getByText('Sem conexão. Entrar precisa de sinal.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Continuar' })).toBeDisabled()
  await context.setOffline(false)
  await expect(page.getByRole('button', { name: 'Continuar' })).toBeEnabled()
})

/** As an administrator does it on the card: the marker set to null. */
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
