// 'Gerenciar Corretores': cards of one height, each with today's answers.
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { ADMIN, openApp } from '#tests/support/components/app.tsx'
import { adminPortal, BROKER_ROW } from '#tests/support/components/admin-portal.ts'
import { expectAccessibleInBoth } from '#tests/support/components/axe.ts'
import { onDesk } from '#tests/support/components/device.ts'

const broker = (at: number, name: string, columns: object = {}) => ({
  ...BROKER_ROW,
  id: `${at}1111111-1111-4111-8111-111111111111`,
  instanceName: `corretor_${name}`,
  number: '5511901000101',
  ...columns,
})
const NEW = { number: null, state: 'close', hasPassword: false }

test.each([1_024, 1_280, 1_920])('com %i px os cartões têm a mesma altura', async (width) => {
  const portal = adminPortal({
    'GET /api/brokers': () => [
      ...['ana', 'bia', 'caio', 'davi', 'elisa', 'fabio'].map((name, at) => broker(at, name)),
      broker(7, 'novato', NEW),
    ],
    'GET /rest/v1/kanban_stages': () => [],
    'GET /api/first-hour': () => ({
      brokers: 7,
      broker: null,
      sources: 1,
      lead: { name: 'Marta', seconds: 90, isOwned: true },
      test: null,
      address: null,
      backup: null,
      gateway: { source: 'environment', url: null, health: 'ok' },
      isUnheard: false,
      webhook: { url: 'https://portal.example', isElsewhere: false },
    }),
    'POST /rest/v1/rpc/get_total_contatos_por_corretor': () => [],
    'POST /rest/v1/rpc/get_answers_today': () => [
      { broker: 'corretor_ana', received: 14, answered: 12 },
      { broker: 'corretor_bia', received: 1, answered: 1 },
    ],
  })
  await onDesk({ width })
  await openApp('/', portal, ADMIN)
  const card = (name: string) => page.getByRole('article', { name })
  await expect.element(card('Ana').getByText('12 de 14 respondidos hoje')).toBeVisible()
  await expect.element(card('Bia').getByText('1 de 1 respondido hoje')).toBeVisible()
  await expect.element(card('Novato').getByText('nenhum lead hoje')).toBeVisible()
  await expect
    .element(card('Novato').getByRole('button', { name: 'Conectar WhatsApp de Novato' }))
    .toBeVisible()
  const heights = page
    .getByRole('article')
    .all()
    .map((one) => one.element().getBoundingClientRect().height)
  expect(new Set(heights.map(Math.round)).size).toBe(1)
  // The actions stay in one line.
  expect(heights[0]).toBeLessThan(270)
  await expectAccessibleInBoth()
})
