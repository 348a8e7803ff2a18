// The list of developments: available units have a column only where a development has units.
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { adminPortal } from '#tests/support/components/admin-portal.ts'
import { ADMIN, openApp } from '#tests/support/components/app.tsx'
import { expectAccessibleInBoth } from '#tests/support/components/axe.ts'
import { onDesk } from '#tests/support/components/device.ts'
import { BARE_MIRANTE } from '#tests/support/make-app.ts'

const row = (id: number, name: string, unitsAvailable: number | null) => ({
  ...BARE_MIRANTE,
  id,
  name,
  version: 1,
  builder: null,
  archivedAt: null,
  openLeads: 0,
  rotation: null,
  agentMode: null,
  unitsAvailable,
})

async function open(...developments: readonly object[]) {
  await onDesk()
  const portal = adminPortal({
    'GET /rest/v1/kanban_stages': () => [],
    'GET /api/developments': () => ({ developments }),
    'GET /api/developments/unbound': () => ({ texts: [] }),
    'POST /api/developments/files': () => ({ urls: {} }),
  })
  await openApp('/empreendimentos', portal, ADMIN)
  await expect.element(page.getByRole('button', { name: 'Abrir Mirante do Lago' })).toBeVisible()
}
const names = () =>
  page
    .getByRole('button', { name: /^Abrir / })
    .elements()
    .map((button) => button.getAttribute('aria-label'))
const cellOf = (name: string) => {
  const heads = page.getByRole('columnheader').elements()
  const at = heads.findIndex((head) => head.textContent.includes('Unidades disponíveis'))
  const line = page
    .getByRole('button', { name: `Abrir ${name}` })
    .element()
    .closest('tr')
  return line?.querySelectorAll('td')[at]?.textContent
}

test('unidades disponíveis: a conta, um traço onde não há unidades, e a ordem por ela', async () => {
  await open(row(1, 'Alameda', null), row(2, 'Jardim', 0), row(3, 'Mirante do Lago', 1_012))
  expect(cellOf('Mirante do Lago')).toContain('1.012')
  expect(cellOf('Jardim')).toContain('0')
  expect(cellOf('Alameda')).toContain('–')
  await expectAccessibleInBoth()
  await page.getByRole('button', { name: 'Unidades disponíveis' }).click()
  await expect.poll(names).toEqual(['Abrir Mirante do Lago', 'Abrir Jardim', 'Abrir Alameda'])
})

test('sem unidades em nenhum, não há coluna', async () => {
  await open(row(1, 'Alameda', null), row(3, 'Mirante do Lago', null))
  await expect
    .element(page.getByRole('columnheader', { name: 'Unidades disponíveis' }))
    .not.toBeInTheDocument()
})
