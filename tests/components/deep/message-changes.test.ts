// Editing and deleting for all in a conversation: offered within WhatsApp's times, shown as waiting, told when refused.
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessibleInBoth } from '#tests/support/components/axe.ts'
import { conversation, openWith } from '#tests/support/components/conversation.ts'

const EDIT = 'POST /rest/v1/rpc/message_edit'
const DELETE = 'POST /rest/v1/rpc/message_delete'
const SAVED = { success: true, code: 'saved', message: null }
const OWN = { body: 'Visita às 10h', type: 'outgoing', delivery: 'read' }
const nowSeconds = () => Math.floor(Date.now() / 1000)

async function openMenu() {
  const options = conversation.getByRole('button', { name: 'Opções da mensagem' })
  await expect.element(options).toBeInTheDocument()
  options.element().focus()
  await userEvent.keyboard('{Enter}')
}

test('um texto enviado há pouco é editado numa folha própria e aparece como “editando…”', async () => {
  const { portal } = await openWith([OWN])
  const answered = Promise.withResolvers<object>()
  portal.network.on(EDIT, () => answered.promise)
  await openMenu()
  await page.getByRole('menuitem', { name: 'Editar' }).click()
  const sheet = page.getByRole('dialog', { name: 'Editar mensagem' })
  const box = sheet.getByRole('textbox', { name: 'Mensagem' })
  await expect.element(box).toHaveValue('Visita às 10h')
  await expect
    .element(sheet.getByText(/^O contato vê que foi editada\. Dá para editar até \d\d:\d\d\.$/))
    .toBeVisible()
  await expectAccessibleInBoth()
  await box.fill('Visita às 11h')
  await sheet.getByRole('button', { name: 'Salvar' }).click()
  await expect.element(conversation.getByText('Visita às 11h')).toBeVisible()
  await expect.element(conversation.getByText('editando…')).toBeVisible()
  answered.resolve(SAVED)
  await expect
    .poll(() => portal.network.bodiesOf(EDIT).map((body) => [body['p_message_id'], body['p_text']]))
    .toEqual([[1, 'Visita às 11h']])
})

test('apagar para todos pergunta antes, e deixa “Mensagem apagada”', async () => {
  const { portal } = await openWith([OWN])
  portal.network.on(DELETE, () => SAVED)
  await openMenu()
  await page.getByRole('menuitem', { name: 'Apagar para todos' }).click()
  await expect.element(page.getByText(/Some também no WhatsApp do contato/)).toBeVisible()
  await page.getByRole('button', { name: 'Apagar', exact: true }).click()
  await expect.element(conversation.getByText('Mensagem apagada')).toBeVisible()
  expect(conversation.getByText('Visita às 10h').elements()).toEqual([])
  await expect.poll(() => portal.network.bodiesOf(DELETE).map((body) => body['p_message_id'])).toEqual([1])
})

test('depois de 15 minutos não se edita mais, e depois de dois dias nem se apaga', async () => {
  await openWith([{ ...OWN, timestamp: nowSeconds() - 16 * 60 }])
  await openMenu()
  await expect.element(page.getByRole('menuitem', { name: 'Apagar para todos' })).toBeVisible()
  expect(page.getByRole('menuitem', { name: 'Editar' }).elements()).toEqual([])
})

test('o que o portal recusa fica escrito sob o balão, que mostra o texto de antes', async () => {
  const { portal } = await openWith([OWN])
  const said =
    'O WhatsApp só deixa editar até 15 minutos depois do envio. O contato continua vendo o texto de antes.'
  portal.network.on(EDIT, () => ({ success: false, code: 'too_late', message: said }))
  await openMenu()
  await page.getByRole('menuitem', { name: 'Editar' }).click()
  await page.getByRole('dialog', { name: 'Editar mensagem' }).getByRole('textbox').fill('Visita às 11h')
  await page.getByRole('button', { name: 'Salvar' }).click()
  await expect.element(conversation.getByText(said)).toBeVisible()
  await expect.element(conversation.getByText('Visita às 10h')).toBeVisible()
})

test('o que o WhatsApp recusa depois também', async () => {
  const change = {
    kind: 'edit',
    body: 'Visita às 11h',
    state: 'refused',
    reason: 'refused',
    operationId: null,
  }
  await openWith([{ ...OWN, change }])
  await expect
    .element(conversation.getByText('O WhatsApp não aceitou a edição. O contato vê o texto de antes.'))
    .toBeVisible()
  await expect.element(conversation.getByText('Visita às 10h')).toBeVisible()
})
