// A conversation as a PDF, on the page of one person's data.
import { expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { ADMIN, openApp } from '#tests/support/components/app.tsx'
import { adminPortal } from '#tests/support/components/admin-portal.ts'
import { expectAccessibleInBoth } from '#tests/support/components/axe.ts'
import { onDesk } from '#tests/support/components/device.ts'

const PDF = 'POST /api/people/conversation'

const lead = {
  id: 7,
  name: 'Zuleica Prado',
  number: '5511987654321',
  instanceName: 'corretor_camila',
  stage: 'Conversa',
  createdAtMs: 1_795_000_000_000,
  messages: 12,
}
const HELD = {
  optedOutAtMs: null,
  files: 1,
  leads: [lead, { ...lead, id: 8, instanceName: 'corretor_rafael', messages: 0 }],
  places: [{ place: 'messages', count: 12, fromMs: lead.createdAtMs, toMs: lead.createdAtMs }],
}

test('o PDF é da conversa de um lead, com o nome dele no arquivo; sem mensagens não há botão', async () => {
  await onDesk()
  const portal = adminPortal({
    'POST /api/people/find': () => HELD,
    'GET /rest/v1/kanban_stages': () => [],
    [PDF]: () => new Response('%PDF-1.3', { headers: { 'content-type': 'application/pdf' } }),
  })
  await openApp('/dados?lead=7', portal, ADMIN)
  const names: string[] = []
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    names.push(this.download)
  })
  onTestFinished(() => click.mockRestore())
  const button = page.getByRole('button', { name: 'Baixar conversa (PDF)' })
  await expect.element(button).toBeVisible()
  expect(button.elements()).toHaveLength(1)
  await expectAccessibleInBoth()
  await button.click()
  await expect.poll(() => names).toEqual(['conversa-zuleica-prado-7.pdf'])
  expect(portal.bodiesOf(PDF)).toEqual([{ contactId: 7 }])

  portal.on(PDF, () =>
    Response.json({ error: { code: 'proof.busy', message: 'Outra conversa sua ainda.' } }, { status: 409 }),
  )
  await button.click()
  await expect.element(page.getByText('Erro ao baixar: Outra conversa sua ainda.')).toBeVisible()
})
