// The broker's login form with a wrong name, a wrong password and offline.
import { expect, NO_NETWORK, REFUSED, test } from '#tests/support/browser/story.ts'

test.use({ expectedNoise: { patterns: [REFUSED, NO_NETWORK] } })

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

test('sem sinal o login espera e diz por quê', async ({ page, context }) => {
  await page.goto('/login')
  await expect(page.getByLabel('Usuário')).toBeVisible()
  await context.setOffline(true)
  await expect(page.getByText('Você precisa de internet para entrar.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Continuar' })).toBeDisabled()
  await context.setOffline(false)
  await expect(page.getByRole('button', { name: 'Continuar' })).toBeEnabled()
})
