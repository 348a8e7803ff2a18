// 'Marca': name, colour, and a logo that is uploaded as pixels.
import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { ADMIN, openApp } from '#tests/support/components/app.tsx'
import { adminPortal } from '#tests/support/components/admin-portal.ts'
import { expectAccessibleInBoth } from '#tests/support/components/axe.ts'
import { reloadNewest } from '#live/newest.ts'
import { onDesk } from '#tests/support/components/device.ts'

// A reload would end the test.
vi.mock('#live/newest.ts', () => ({ reloadNewest: vi.fn<() => Promise<void>>() }))

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20" fill="red"/></svg>`
const SAVE = 'POST /rest/v1/rpc/set_brand'

async function open() {
  const portal = adminPortal({
    'GET /api/config': () => ({ agency: { name: 'RHS', color: null, logo: null } }),
    'GET /api/admins': () => [],
    'GET /api/account/second-step': () => ({ isOn: false, codesLeft: 0 }),
    'GET /rest/v1/kanban_stages': () => [],
    [SAVE]: () => ({ name: 'Casa Nova', color: null }),
  })
  await onDesk()
  await openApp('/conta', portal, ADMIN)
  return portal
}

const file = page.getByLabelText('Arquivo do logotipo')
const save = page.getByRole('button', { name: 'Salvar marca' })

test('o nome e o logotipo são salvos', async () => {
  const portal = await open()
  await page.getByLabelText('Nome da imobiliária').fill('Casa Nova')
  await file.upload(new File([SVG], 'logo.svg', { type: 'image/svg+xml' }))
  await expect.element(page.getByRole('img', { name: 'Logotipo' })).toBeVisible()
  await expectAccessibleInBoth()
  await save.click()
  const png = expect.stringMatching(/^iVBORw0KGgo/)
  // The previous test's toast may still be there, so the request is checked first.
  await expect
    .poll(() => portal.bodiesOf(SAVE))
    .toEqual([
      {
        p_name: 'Casa Nova',
        p_color: null,
        p_icons: { '192': png, '512': png, 'maskable-512': png, 'apple-touch-icon': png },
      },
    ])
  await expect.element(page.getByText(/^Marca salva/)).toBeVisible()
  // This device shows it at once.
  expect(reloadNewest).toHaveBeenCalledOnce()
})

test('o que não é imagem é dito, e o motivo de uma recusa também', async () => {
  const portal = await open()
  await file.upload(new File(['olá'], 'logo.png', { type: 'image/png' }))
  await expect.element(page.getByText('Este arquivo não é uma imagem.', { exact: false })).toBeVisible()
  portal.on(SAVE, () =>
    Response.json(
      { code: 'PT422', message: 'Use um nome de até 30 letras.', hint: 'brand.name' },
      { status: 422 },
    ),
  )
  await page.getByLabelText('Nome da imobiliária').fill('Casa')
  await save.click()
  await expect.element(page.getByText('Use um nome de até 30 letras.')).toBeVisible()
})
