// 'Exportar': requests the filtered leads as a file; a refusal shows its reason.
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { ADMIN, openApp } from '#tests/support/components/app.tsx'
import { adminPortal } from '#tests/support/components/admin-portal.ts'
import { onDesk } from '#tests/support/components/device.ts'

test("the dashboard’s filter is sent, and a refusal shows the server's text", async () => {
  await onDesk()
  const figures = () => Response.json({ message: 'later' }, { status: 503 })
  const portal = adminPortal({
    'POST /rest/v1/rpc/get_dashboard_data_by_params': figures,
    'GET /rest/v1/kanban_stages': () => [],
    'POST /api/exports/leads': () =>
      Response.json(
        {
          error: { code: 'export.too-long', message: 'São mais de 100.000 leads. Escolha um período menor.' },
        },
        { status: 422 },
      ),
  })
  await openApp(
    '/reports?periodo=personalizado&inicio=2026-11-01&fim=2026-11-20&corretores=["corretor_camila"]',
    portal,
    ADMIN,
  )
  await page.getByRole('button', { name: 'Exportar' }).click()
  await expect.element(page.getByText('São mais de 100.000 leads. Escolha um período menor.')).toBeVisible()
  expect(portal.bodiesOf('POST /api/exports/leads')).toEqual([
    { brokers: ['corretor_camila'], developments: [], from: '2026-11-01', to: '2026-11-20' },
  ])
  portal.on(
    'POST /api/exports/leads',
    () => new Response('Nome\r\n', { headers: { 'content-type': 'text/csv' } }),
  )
  await page.getByRole('button', { name: 'Exportar' }).click()
  await expect.poll(() => portal.bodiesOf('POST /api/exports/leads').length).toBe(2)
})
