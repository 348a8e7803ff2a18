// Quick replies with a file: chosen with '/', sent by id with the text as caption, also offline; edited with the reply.
import { expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessibleInBoth } from '#tests/support/components/axe.ts'
import { messageRow } from '#tests/support/components/broker-portal.ts'
import { conversation, openWith } from '#tests/support/components/conversation.ts'

const SEND = 'POST /api/messages/quick-reply'
const MEDIA_ID = 'a'.repeat(64)
const ID = '00000000-0000-4000-8000-000000000001'
const TABLE = {
  id: ID,
  broker_id: ID,
  title: 'Tabela',
  body: 'Segue a tabela, {nome}!',
  file: {
    kind: 'document',
    content: { mediaId: MEDIA_ID, mimeType: 'application/pdf', fileName: 'tabela.pdf', sizeBytes: 317_440 },
  },
}
const box = page.getByRole('textbox', { name: 'Legenda' })
const sentRow = ({ body }: { body: Record<string, unknown> }) => ({
  message: messageRow({ id: 90, body: body['text'], type: 'outgoing', delivery: 'queued' }),
})

async function open() {
  const { portal } = await openWith([{ body: 'Me manda a tabela?' }], undefined, [], [TABLE])
  return portal
}

async function pick() {
  await userEvent.type(page.getByRole('textbox', { name: 'Mensagem' }), '/tab')
  await page.getByRole('button', { name: /^Tabela/ }).click()
  await expect.element(box).toHaveValue('Segue a tabela, Marina!')
  await expect.element(page.getByText('tabela.pdf')).toBeVisible()
}

test('“/tabela” põe o PDF com o texto como legenda; sai pelo id, sem subir de novo', async () => {
  const portal = await open()
  portal.network.on(SEND, sentRow)
  await pick()
  await expectAccessibleInBoth()
  await page.getByRole('button', { name: 'Enviar', exact: true }).click()
  await expect
    .poll(() => portal.network.bodiesOf(SEND))
    .toMatchObject([{ quickReplyId: ID, mediaId: MEDIA_ID, text: 'Segue a tabela, Marina!' }])
  await expect.element(page.getByRole('button', { name: 'Remover o arquivo' })).not.toBeInTheDocument()
  await expect.element(page.getByRole('textbox', { name: 'Mensagem' })).toHaveValue('')
})

test('sem sinal fica na fila como bolha com o nome do arquivo, e sai quando o sinal volta', async () => {
  const portal = await open()
  portal.network.on(SEND, sentRow)
  await pick()
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  const goOnline = () => {
    online.mockRestore()
    dispatchEvent(new Event('online'))
  }
  onTestFinished(goOnline)
  dispatchEvent(new Event('offline'))
  await page.getByRole('button', { name: 'Enviar', exact: true }).click()
  const bubble = conversation.getByRole('button', { name: /tabela\.pdf/ })
  await expect.element(bubble).toBeVisible()
  await expect.element(conversation.getByText('na fila')).toBeVisible()
  // Nothing can be fetched of a message that waits here.
  await bubble.click()
  expect(portal.network.bodiesOf(SEND)).toEqual([])
  goOnline()
  await expect.poll(() => portal.network.bodiesOf(SEND)).toMatchObject([{ quickReplyId: ID }])
})

test('quem edita a resposta anexa um arquivo, e pode tirá-lo', async () => {
  const portal = await open()
  portal.network.on('POST /rest/v1/rpc/save_quick_reply', () => ({ success: true, message: null }))
  portal.network.on(`POST /api/quick-replies/${ID}/file`, () => ({ file: TABLE.file }))
  portal.network.on(`DELETE /api/quick-replies/${ID}/file`, () => ({ file: null }))
  await page.getByRole('button', { name: 'Editar respostas' }).click()
  const edit = async () => {
    await page.getByRole('button', { name: 'Opções de Tabela' }).click()
    await page.getByRole('menuitem', { name: 'Editar' }).click()
  }
  await edit()
  await expect.element(page.getByText('tabela.pdf').last()).toBeVisible()
  await expectAccessibleInBoth()
  await page.getByRole('button', { name: 'Remover o arquivo' }).click()
  await page.getByRole('button', { name: 'Salvar' }).click()
  await expect.poll(() => portal.network.bodiesOf(`DELETE /api/quick-replies/${ID}/file`)).toHaveLength(1)
})
