// The account sheet under touch.
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { ADMIN, CAMILA, openApp } from '#tests/support/components/app.tsx'
import { adminPortal } from '#tests/support/components/admin-portal.ts'
import { brokerPortal } from '#tests/support/components/broker-portal.ts'
import { announce, toast } from '#ui/feedback/toast.ts'
import { boxOf, onDesk, onPhone, restOf, tap } from '#tests/support/components/device.ts'

const password = page.getByRole('button', { name: 'Trocar senha' })
const leave = page.getByRole('button', { name: 'Sair' })
const assistantSwitch = page.getByRole('switch', { name: 'Assistente fora do meu horário' })

test('o que chega atrasado não tira nada de debaixo do dedo, nem Sair', async () => {
  const { network } = brokerPortal()
  const assistant = Promise.withResolvers<unknown>()
  network.on('GET /api/assist/own', () => assistant.promise)
  await onPhone()
  await openApp('/broker', network, CAMILA)
  await tap(page.getByRole('button', { name: /^Conta de/ }))
  // 'Sair' does not move while it is below the screen, either.
  await expect.element(leave).toBeInViewport({ ratio: 1 })
  const buttons = [page.getByRole('button', { name: 'Agenda de visitas' }), password, leave]
  const before = await Promise.all(buttons.map((button) => restOf(button)))

  assistant.resolve({ isOn: false, isAvailable: true })
  await expect.element(assistantSwitch).toBeInTheDocument()
  expect(buttons.map((button) => boxOf(button).top)).toEqual(before.map(({ top }) => top))
  await expect.element(leave).toBeInViewport({ ratio: 1 })

  // No focused element is hidden behind the sheet's foot.
  const foot = boxOf(leave).top
  for (const row of [password, assistantSwitch]) {
    const element = row.element()
    if (element instanceof HTMLElement) element.focus()
    await expect.poll(() => boxOf(row).top + boxOf(row).height).toBeLessThanOrEqual(foot)
  }
})

test.each([
  ['pelo cabeçalho', 1440],
  ['pela folha da conta, onde no cabeçalho não cabe', 820],
])('o administrador que sai chega ao painel, %s', async (_, width) => {
  await onDesk({ width })
  const portal = adminPortal({
    'GET /rest/v1/kanban_stages': () => [],
    'GET /api/admins': () => ({ admins: [] }),
  })
  await openApp('/administradores', portal, ADMIN)
  const account = page.getByRole('button', { name: /^Conta de/ })
  await expect.element(account).toBeVisible()
  const isInHeader = leave.elements().some((button) => button.checkVisibility())
  expect(isInHeader).toBe(width > 1_000)
  if (!isInHeader) await account.click()
  await leave.click()
  await expect.element(page.getByRole('heading', { name: /^Painel Administrativo/ })).toBeVisible()
  expect(location.pathname).toBe('/panel')
})

test('depois de Sair nada do que foi feito é mostrado nem falado', async () => {
  const { network } = brokerPortal()
  network.on('GET /api/assist/own', () => ({ isOn: false, isAvailable: false }))
  network.on('POST /auth/v1/logout', () => null)
  await onPhone()
  await openApp('/broker', network, CAMILA)
  toast('Movido para Conversa: Marina Tavares', 'success', { durationMs: 60_000 })
  announce('Marina Tavares em Conversa')
  await expect.poll(spoken).toContain('Marina Tavares em Conversa')
  await tap(page.getByRole('button', { name: /^Conta de/ }))
  await leave.click()
  await expect.element(page.getByLabelText('Usuário')).toBeVisible()
  await expect.poll(spoken).toBe('')
})

const spoken = () =>
  [...document.querySelectorAll('output, [role=alert], [role=status], [aria-live]')]
    .map(({ textContent }) => textContent)
    .join('')

test.each([
  ['no telefone, na folha da conta', onPhone, false],
  ['no tablet, no cabeçalho', () => onDesk({ width: 820 }), true],
  ['no computador, no cabeçalho', () => onDesk({ width: 1440 }), true],
])('Sair do corretor: %s', async (_, resize, isInHeader) => {
  const { network } = brokerPortal()
  network.on('GET /api/assist/own', () => ({ isOn: false, isAvailable: false }))
  await resize()
  await openApp('/broker', network, CAMILA)
  const account = page.getByRole('button', { name: /^Conta de/ })
  await expect.element(account).toBeVisible()
  await expect.poll(() => leave.elements().length > 0).toBe(isInHeader)
  if (!isInHeader) await tap(account)
  await expect.element(leave).toBeInViewport({ ratio: 1 })
})
