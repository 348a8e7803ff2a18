// A lead that was just added keeps what is open on it once the portal gives it an id; contacts of the phone.
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { CAMILA, openApp } from '#tests/support/components/app.tsx'
import { brokerPortal, leadRow } from '#tests/support/components/broker-portal.ts'
import { onPhone } from '#tests/support/components/device.ts'

/** Sandra, added without a server id: her card, and a function that assigns id 9. */
async function addSandra() {
  const { network } = brokerPortal([leadRow(1)])
  const named = Promise.withResolvers<void>()
  network.on('POST /rest/v1/rpc/get_available_empreendimentos', () => [])
  network.on('POST /rest/v1/rpc/lead_add', async () => {
    await named.promise
    return { code: 'saved', message: null, contact_id: 9 }
  })
  await onPhone()
  await openApp('/broker', network, CAMILA)
  await page.getByRole('button', { name: 'Adicionar lead' }).click()
  const sheet = page.getByRole('dialog', { name: 'Adicionar lead' })
  await sheet.getByLabelText('Nome').fill('Sandra Lemos')
  await sheet.getByLabelText('WhatsApp').fill('(11) 95000-0149')
  await sheet.getByRole('button', { name: 'Adicionar lead' }).click()
  const conversation = page.getByRole('dialog', { name: /Sandra Lemos/ })
  await expect.element(conversation).toBeVisible()
  history.back()
  await expect.element(conversation).not.toBeInTheDocument()
  const card = page.getByRole('article', { name: /^Sandra Lemos/ })
  await expect.element(card).toBeVisible()
  return {
    network,
    card,
    name: async () => {
      named.resolve()
      await expect.element(card).toHaveAttribute('data-lead', '9')
    },
  }
}

test('o servidor dá nome a quem se acabou de adicionar: a nota aberta fica, com o que se escreveu', async () => {
  const { network, card, name } = await addSandra()
  const SAVE = 'POST /rest/v1/rpc/save_lead_notes'
  network.on(SAVE, ({ body }) => ({ code: 'saved', message: null, current: body['p_notes'] }))
  await card.getByRole('button', { name: 'Notas' }).click()
  const field = page.getByRole('dialog', { name: 'Notas do Lead' }).getByRole('textbox')
  await field.fill('Prefere andar alto')
  await name()
  await expect.element(field).toHaveValue('Prefere andar alto')
  await page.getByRole('button', { name: 'Salvar' }).click()
  await expect
    .poll(() => network.bodiesOf(SAVE).map((body) => [body['p_contact_id'], body['p_notes']]))
    .toEqual([[9, 'Prefere andar alto']])
  await expect.element(card).toHaveTextContent('Prefere andar alto')
})

test('o servidor dá nome a quem se acabou de adicionar: o próximo passo aberto fica, e é marcado para o nome novo', async () => {
  const { network, card, name } = await addSandra()
  const SAVE = 'POST /rest/v1/rpc/action_save'
  network.on(SAVE, () => ({ success: true, code: 'saved', message: null, action_id: 7 }))
  card.element().focus()
  await userEvent.keyboard('p')
  const sheet = page.getByRole('dialog', { name: 'Próximo passo' })
  const field = sheet.getByRole('textbox', { name: 'Anotação' })
  await field.fill('Levar a planta')
  await name()
  await expect.element(field).toHaveValue('Levar a planta')
  await sheet.getByText('Amanhã 9h', { exact: true }).click()
  await sheet.getByRole('button', { name: /amanhã 9h$/ }).click()
  await expect
    .poll(() => network.bodiesOf(SAVE).map((body) => [body['p_contact_id'], body['p_note']]))
    .toEqual([[9, 'Levar a planta']])
})

test('Escolher dos contatos traz nome e números do telefone, e cancelar deixa os campos como estão', async () => {
  const { network } = brokerPortal([leadRow(1)])
  network.on('POST /rest/v1/rpc/get_available_empreendimentos', () => [])
  const select = vi
    .fn<() => Promise<unknown>>()
    .mockResolvedValueOnce([{ name: ['Sandra Lemos'], tel: ['+55 11 95000-0149'] }])
    .mockRejectedValueOnce(new DOMException('closed', 'AbortError'))
  Object.defineProperty(navigator, 'contacts', { value: { select }, configurable: true })
  try {
    await onPhone()
    await openApp('/broker', network, CAMILA)
    await page.getByRole('button', { name: 'Adicionar lead' }).click()
    const sheet = page.getByRole('dialog', { name: 'Adicionar lead' })
    await sheet.getByRole('button', { name: 'Escolher dos contatos' }).click()
    await expect.element(sheet.getByLabelText('Nome')).toHaveValue('Sandra Lemos')
    await expect.element(sheet.getByLabelText('WhatsApp')).toHaveValue('(11) 95000-0149')
    await sheet.getByRole('button', { name: 'Escolher dos contatos' }).click()
    await expect.poll(() => select).toHaveBeenCalledTimes(2)
    await expect.element(sheet.getByLabelText('Nome')).toHaveValue('Sandra Lemos')
  } finally {
    Reflect.deleteProperty(navigator, 'contacts')
  }
})
