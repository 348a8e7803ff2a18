// 'Agora' under Relatórios: who waits for a first answer, how long, and by whom; a row leads to the conversation.
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { ADMIN, openApp } from '#tests/support/components/app.tsx'
import { adminPortal } from '#tests/support/components/admin-portal.ts'
import { expectAccessible } from '#tests/support/components/axe.ts'
import { emulate, onDesk } from '#tests/support/components/device.ts'

const at = Date.now()
const ago = (seconds: number) => new Date(at - seconds * 1000).toISOString()
const lead = {
  number: null,
  source: 'instagram',
  development: 'Mirante do Lago',
  offeredAt: null,
  acceptedAt: null,
}

const CLOCKS = {
  at: ago(0),
  since: ago(36_000),
  target: 900,
  risk: [
    {
      ...lead,
      id: 1,
      name: 'Flávia Rangel',
      broker: 'corretor_eduardo',
      receivedAt: ago(2_060),
      offeredAt: ago(2_056),
      acceptedAt: ago(2_001),
    },
    { ...lead, id: 2, name: 'Luiz Ramos', broker: 'corretor_rafael', receivedAt: ago(990) },
    { ...lead, id: 3, name: 'Marina Tavares', broker: 'corretor_camila', receivedAt: ago(27) },
  ],
  means: { answered: 43, within: 41, wait: 408, offered: 4, accepted: 84, response: 320 },
  brokers: [
    {
      broker: 'corretor_camila',
      waiting: 1,
      received: 14,
      answered: 12,
      median: 240,
      withinFive: 8,
      won: 1,
      value: 64_000_000,
    },
  ],
}

async function open(clocks: object = CLOCKS) {
  const portal = adminPortal({
    'POST /rest/v1/rpc/get_clocks': () => clocks,
    'GET /rest/v1/kanban_stages': () => [],
  })
  await onDesk()
  await openApp('/reports?secao=agora', portal, ADMIN)
}

const risk = page.getByRole('table', { name: 'Em risco agora' })

test.each(['light', 'dark'] as const)(
  'quem espera a primeira resposta, há quanto tempo (%s)',
  async (colorScheme) => {
    await open()
    await emulate({ colorScheme })
    await expect
      .element(page.getByText('3 leads esperam a primeira resposta · 1 passou do dobro da meta'))
      .toBeVisible()
    const row = risk.getByRole('row', { name: /Flávia Rangel/ })
    for (const words of ['Eduardo', '+ 4 s', '+ 55 s', '34 min'])
      await expect.element(row).toHaveTextContent(words)
    await expect.element(page.getByText('41 de 43 respostas na meta de 15 min')).toBeVisible()
    const camila = page
      .getByRole('table', { name: 'Por corretor, hoje' })
      .getByRole('row', { name: /Camila/ })
    for (const words of ['14', '12', '4 min', '67%', 'R$ 640 mil'])
      await expect.element(camila).toHaveTextContent(words)
    await expectAccessible()
  },
)

test('sem ninguém à espera, diz isso', async () => {
  await open({ ...CLOCKS, risk: [] })
  await expect.element(page.getByText('Ninguém em risco agora')).toBeVisible()
  await expect.element(page.getByText('14 leads hoje, todos com resposta.')).toBeVisible()
})
