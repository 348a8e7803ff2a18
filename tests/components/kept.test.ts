// An entry that a card shows as waiting is stored: it survives even if the tab is closed at that moment.
import { openDB } from 'idb'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { tap } from '#tests/support/components/device.ts'
import { messageRow } from '#tests/support/components/broker-portal.ts'
import { openWith } from '#tests/support/components/conversation.ts'
import { card, openBoard, tab } from '#tests/support/components/phone-board.ts'
import { isDeepRun } from '#tests/support/runner/tier.ts'

test('um card só diz Na fila depois que o aparelho guardou o que foi feito', async () => {
  await openBoard()
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  dispatchEvent(new Event('offline'))
  const lead = card('Marina Tavares')
  await whileNothingIsKept(async () => {
    lead.element().focus()
    await userEvent.keyboard('{Alt>}{ArrowRight}{/Alt}')
    await tap(tab('Conversa'))
    await expect.element(lead).toBeVisible()
    await expect.element(lead).not.toHaveTextContent('Na fila')
  })
  await expect.element(lead).toHaveTextContent('Na fila')
  online.mockReturnValue(true)
  dispatchEvent(new Event('online'))
  await expect.element(lead).not.toHaveTextContent('Na fila')
})

test.runIf(isDeepRun)('o que se envia fica no rascunho do aparelho até estar na fila dele', async () => {
  const words = 'Posso ligar às 10h?'
  const { portal } = await openWith([{ body: 'Bom dia!' }])
  portal.network.on('POST /api/messages/text', () => ({ message: messageRow({ id: 77, type: 'outgoing' }) }))
  const box = page.getByRole('textbox', { name: 'Mensagem' })
  await box.fill(words)
  await expect.poll(draftsOnDevice).toEqual([words])
  await whileNothingIsKept(async () => {
    await tap(page.getByRole('button', { name: 'Enviar', exact: true }))
    await expect.element(box).toHaveValue('')
    await expect.element(page.getByRole('log').getByText(words)).toBeVisible()
    expect(await draftsOnDevice()).toEqual([words])
  })
  await expect.poll(draftsOnDevice).toEqual([])
})

test.runIf(isDeepRun)('um texto começado fica no cartão como rascunho, até sair', async () => {
  const { portal } = await openWith([{ body: 'Bom dia!' }])
  portal.network.on('POST /api/messages/text', () => ({ message: messageRow({ id: 77, type: 'outgoing' }) }))
  const box = page.getByRole('textbox', { name: 'Mensagem' })
  await box.fill('Posso ligar')
  const lead = card('Marina Tavares')
  await page.getByRole('button', { name: 'Fechar', exact: true }).click()
  await expect.element(lead.getByText('Posso ligar')).toHaveTextContent('Rascunho: Posso ligar')
  await tap(lead.getByText('Posso ligar'))
  await expect.element(box).toHaveValue('Posso ligar')
  await tap(page.getByRole('button', { name: 'Enviar', exact: true }))
  await page.getByRole('button', { name: 'Fechar', exact: true }).click()
  await expect.element(lead).not.toHaveTextContent('Rascunho')
})

async function draftsOnDevice(): Promise<string[]> {
  const db = await openDB('portal')
  const drafts = (await db.getAll('drafts')) as { text: string }[]
  db.close()
  return drafts.map(({ text }) => text)
}

/** The outbox stores nothing until `run` has ended, as on a device that writes slowly. */
async function whileNothingIsKept(run: () => Promise<void>) {
  const db = await openDB('portal')
  const { store, done } = db.transaction('outbox', 'readwrite')
  const holding = new AbortController()
  const hold = async () => {
    while (!holding.signal.aborted) await store.count()
    await done
  }
  const held = hold()
  try {
    await run()
  } finally {
    holding.abort()
    await held
    db.close()
  }
}
