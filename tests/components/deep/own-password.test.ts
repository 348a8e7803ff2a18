// A broker changes the own password in the account sheet, with the current one.
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { CAMILA, openApp } from '#tests/support/components/app.tsx'
import { expectAccessible } from '#tests/support/components/axe.ts'
import { brokerPortal } from '#tests/support/components/broker-portal.ts'
import { onPhone, tap } from '#tests/support/components/device.ts'

const CHANGE = 'PUT /auth/v1/user'
const dialog = page.getByRole('dialog', { name: 'Trocar senha' })
const submit = dialog.getByRole('button', { name: 'Salvar' })

async function openPasswordDialog() {
  const { network } = brokerPortal()
  await onPhone()
  await openApp('/broker', network, CAMILA)
  await tap(page.getByRole('button', { name: /^Conta de/ }))
  await tap(page.getByRole('button', { name: 'Trocar senha' }))
  await expect.element(dialog).toBeVisible()
  return network
}

async function type(current: string, next: string, again = next) {
  await dialog.getByLabelText('Senha atual').fill(current)
  await dialog.getByLabelText('Nova senha', { exact: true }).fill(next)
  await dialog.getByLabelText('Confirme a nova senha').fill(again)
  await tap(submit)
}

test('o corretor troca a própria senha com a atual', async () => {
  const network = await openPasswordDialog()
  network.on(CHANGE, () => ({ id: CAMILA.id, aud: 'authenticated', app_metadata: {}, user_metadata: {} }))
  await expectAccessible()
  await type('a senha', 'uma-senha-nova')
  await expect.element(page.getByText('Senha trocada com sucesso!')).toBeVisible()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(network.bodiesOf(CHANGE)).toMatchObject([
    { current_password: 'a senha', password: 'uma-senha-nova' },
  ])
})

test('sem a senha atual certa nada muda, e o texto fica', async () => {
  const network = await openPasswordDialog()
  network.on(CHANGE, () =>
    Response.json(
      { code: 400, error_code: 'invalid_credentials', msg: 'Credenciais inválidas' },
      { status: 400 },
    ),
  )
  await type('', 'uma-senha-nova')
  await expect.element(dialog.getByText('Digite a senha atual.')).toBeVisible()
  await type('a senha', 'uma-senha-nova', 'outra')
  await expect.element(dialog.getByText('As senhas não coincidem')).toBeVisible()
  expect(network.bodiesOf(CHANGE)).toEqual([])
  await type('errada', 'uma-senha-nova')
  await expect.element(dialog.getByText('Senha atual incorreta')).toBeVisible()
  await expect.element(dialog.getByLabelText('Senha atual')).toHaveFocus()
  await expect.element(dialog.getByLabelText('Nova senha', { exact: true })).toHaveValue('uma-senha-nova')
})
