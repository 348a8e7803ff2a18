// 'QR para imprimir' of a rotation and of a source: its link, the file and the printed sheet.
import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { ADMIN, openApp } from '#tests/support/components/app.tsx'
import { adminPortal, BROKER_ROW } from '#tests/support/components/admin-portal.ts'
import { expectAccessibleInBoth } from '#tests/support/components/axe.ts'
import { onDesk } from '#tests/support/components/device.ts'

const CENTRAL = { ...BROKER_ROW, instanceName: 'corretor_central', number: '551130405060', isCentral: true }
const SOURCE = {
  id: 'k1', kind: 'form', name: 'Placa da obra', perMinute: 120, code: 'Q1A2B3C', settings: { development: 'Mirante do Lago' },
  createdBy: 'admin', createdAt: '2026-11-01T00:00:00Z', revokedAt: null, offAt: null, testedAt: null, usedAt: null,
  lastName: null, gapSeconds: null, leads: 0, monthLeads: 0, waiting: 0, failed: 0, unread: 0,
} // prettier-ignore

async function open(brokers: readonly object[], source: object = SOURCE) {
  await onDesk()
  await openApp(
    '/roleta?vista=captacao',
    adminPortal({
      'GET /api/brokers': () => brokers,
      'GET /rest/v1/kanban_stages': () => [],
      'GET /api/leads/keys': () => ({ keys: [source], kinds: [] }),
      'GET /api/leads/unread': () => ({ unread: [] }),
      'GET /api/imports': () => ({ imports: [] }),
      'POST /rest/v1/rpc/listar_roletas_com_corretores': () => [],
    }),
    ADMIN,
  )
}

const card = page.getByRole('region', { name: 'QR para imprimir' })

test('a source’s code is shown, copied and printed', async () => {
  const printed: string[] = []
  vi.spyOn(window, 'print').mockImplementation(
    () => void printed.push(document.querySelector('body > .print-sheet')?.textContent ?? ''),
  )
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  await open([CENTRAL])
  await expect.element(card.getByRole('img', { name: 'QR de Placa da obra' })).toBeVisible()
  await expect
    .element(
      card.getByText('Abre o WhatsApp com o texto “Olá! Quero saber mais sobre Mirante do Lago. (Q1A2B3C)”'),
    )
    .toBeVisible()
  await expectAccessibleInBoth()
  await card.getByRole('button', { name: 'Copiar link' }).click()
  await expect
    .poll(() => copied.mock.calls)
    .toEqual([
      [
        'https://wa.me/551130405060?text=Ol%C3%A1!%20Quero%20saber%20mais%20sobre%20Mirante%20do%20Lago.%20(Q1A2B3C)',
      ],
    ])
  await card.getByRole('button', { name: 'Imprimir A5' }).click()
  await expect.poll(() => printed).toEqual(['Placa da obraAponte a câmera e fale no WhatsApp(11) 3040-5060'])
  dispatchEvent(new Event('afterprint'))
  await expect.poll(() => document.querySelector('.print-sheet')).toBeNull()
})

test('without a central number it says what is missing', async () => {
  await open([{ ...CENTRAL, isCentral: false }])
  await expect
    .element(card.getByText('Para ter um link e um QR, torne central um número em WhatsApp.'))
    .toBeVisible()
})

test('an API token has no address to copy, test or renew', async () => {
  await open([CENTRAL], { ...SOURCE, name: 'API: ERP', createdBy: 'portal', hasAddress: false })
  const panel = page.getByRole('region', { name: 'API: ERP' })
  await expect
    .element(panel.getByText('Entra pela API, com uma chave de acesso de Integrações.'))
    .toBeVisible()
  await expect.element(panel.getByLabelText('Para onde vão os leads')).toBeVisible()
  await expect.element(panel.getByRole('button', { name: 'Revogar' })).toBeVisible()
  for (const absent of ['Copiar o endereço', 'Testar a leitura', 'Copiar formulário', 'Trocar a chave'])
    expect(panel.getByRole('button', { name: absent }).elements()).toEqual([])
})
