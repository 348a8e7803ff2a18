// The feed for portals on the screen of feeds: what is published and yet left out, why, and the way to mend it.
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { LEFT_OUT, LEFT_OUT_REASONS } from '#domain/development/left-out.ts'
import { adminPortal } from '#tests/support/components/admin-portal.ts'
import { ADMIN, openApp } from '#tests/support/components/app.tsx'
import { expectAccessibleInBoth } from '#tests/support/components/axe.ts'
import { chooseByKey, onDesk } from '#tests/support/components/device.ts'

const LEFT = 'GET /api/developments/pages/left-out'
const FEED = {
  address: null,
  isHourly: false,
  isAsked: false,
  checkedAt: null,
  listings: 0,
  left: 0,
  photos: { stored: 0, waiting: 0, failed: 0, isFull: false },
  run: null,
  runs: [],
  problems: null,
}
const OUT = { email: 'feed@casa.example', state: 'SP', madeAt: '2026-11-21T12:00:00Z' }
const item = (code: string, name: string, more: object = {}) => ({
  code,
  name,
  kind: null,
  developmentId: null,
  ...more,
})
const ISLAND = item('IL-1', 'Ilha com trapiche', { kind: 'Residential / Island' })
const COVER = item('E3-9', 'Mirante do Lago, Cobertura', { developmentId: 3 })

async function open(leftOut: () => unknown, out: object | null = OUT) {
  await onDesk()
  const portal = adminPortal({
    'GET /rest/v1/kanban_stages': () => [],
    'GET /api/developments/feed': () => FEED,
    'GET /api/developments/pages': () => ({ out, tellsVisits: false, published: 3, developments: [] }),
    [LEFT]: leftOut,
  })
  await openApp('/empreendimentos?feed=1', portal, ADMIN)
  await expect.element(page.getByRole('heading', { name: 'Feed para portais', exact: true })).toBeVisible()
  return portal
}
const card = page.getByRole('region', { name: 'Fora do feed para portais' })

test('diz quantos e quais ficam de fora, por quê, e como resolver; o empreendimento abre dali', async () => {
  const portal = await open(() => ({
    total: 252,
    reasons: [
      { reason: 'kind', count: 251, items: [ISLAND, item('IL-2', 'Ilha menor', { kind: 'Ilha' })] },
      { reason: 'plan-price', count: 1, items: [COVER] },
    ],
  }))
  await expect.element(card).toHaveTextContent('252 anúncios')
  const kind = card.getByRole('region', { name: 'Tipo que os portais não conhecem' })
  await expect.element(kind).toHaveTextContent('251')
  await expect.element(kind).toHaveTextContent(LEFT_OUT.kind.mend)
  await expect.element(kind.getByText('IL-1 · Ilha com trapiche · Residential / Island')).toBeVisible()
  await expect.element(kind.getByText('e mais 249 anúncios')).toBeVisible()
  await expectAccessibleInBoth()
  portal.on('GET /api/developments/3', () => Response.error())
  await card.getByRole('button', { name: 'Abrir Mirante do Lago, Cobertura' }).click()
  await expect.poll(() => portal.bodiesOf('GET /api/developments/3').length).toBeGreaterThan(0)
  expect(location.search).toContain('id=3')
})

test('cada motivo que o portal conhece tem o seu lugar na tela', async () => {
  await open(() => ({
    total: LEFT_OUT_REASONS.length,
    reasons: LEFT_OUT_REASONS.map((reason) => ({ reason, count: 1, items: [item('CA-1', 'Casa')] })),
  }))
  for (const { why, mend } of Object.values(LEFT_OUT))
    await expect.element(card.getByRole('region', { name: why }).getByText(mend)).toBeVisible()
})

test('o cartão some quando tudo está no feed', async () => {
  const portal = await open(() => ({ total: 1, reasons: [{ reason: 'kind', count: 1, items: [ISLAND] }] }))
  await expect.element(card).toBeVisible()
  portal.on(LEFT, () => ({ total: 0, reasons: [] }))
  portal.on('PUT /api/developments/pages/visits', () => ({ isOn: true }))
  await chooseByKey(page.getByRole('switch', { name: 'Contar visitas do lead' }))
  await expect.element(card).not.toBeInTheDocument()
})

test('sem endereço do feed nada é perguntado', async () => {
  const portal = await open(
    () => ({ total: 1, reasons: [{ reason: 'kind', count: 1, items: [ISLAND] }] }),
    null,
  )
  await expect.element(page.getByRole('button', { name: 'Criar endereço' })).toBeVisible()
  expect(portal.bodiesOf(LEFT)).toEqual([])
  await expect.element(card).not.toBeInTheDocument()
})

test('se o portal não responde, a tela diz que não sabe', async () => {
  await open(() => Response.json({ message: 'Erro' }, { status: 500 }))
  await expect.element(page.getByText('Não deu para ver o que fica fora do feed.')).toBeVisible()
})
