// 'Não é lead': marked from the conversation and the card, undone, refused, listed, unmarked; also offline.
import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessibleInBoth } from '#tests/support/components/axe.ts'
import { leadRow } from '#tests/support/components/broker-portal.ts'
import { tap } from '#tests/support/components/device.ts'
import { card, openBoard } from '#tests/support/components/phone-board.ts'

const PRIVATE = 'POST /rest/v1/rpc/lead_private'
const PUBLIC = 'POST /rest/v1/rpc/lead_public'
const STAYS = 'POST /rest/v1/rpc/lead_stays'
const LIST = 'POST /rest/v1/rpc/list_private_contacts'
const SAVED = { success: true, code: 'saved', message: null, current: null }
const WHY =
  'Ele chegou pela roleta Reserva Ipê em 20/11. Lead de roleta, portal ou campanha não pode ser particular.'
const marking = page.getByRole('dialog', { name: 'Marcar como particular' })
const staying = page.getByRole('dialog', { name: 'Este lead fica no quadro' })
const list = page.getByRole('dialog', { name: 'Particulares' })

async function open() {
  const rows = [
    leadRow(1, { name: 'Célia Moura', number: '5511955500108' }),
    leadRow(2, { name: 'Marina Tavares' }),
  ]
  const { portal } = await openBoard(rows)
  const { network } = portal
  network.on('GET /rest/v1/whatsapp_messages', () => [])
  network.on(STAYS, () => null)
  network.on(PRIVATE, () => SAVED)
  network.on(PUBLIC, () => SAVED)
  return { network }
}

async function openMenu() {
  await tap(card('Célia Moura').getByText('Bom dia!'))
  await page.getByRole('button', { name: 'Opções de Célia Moura' }).click()
  await page.getByRole('menuitem', { name: 'Não é lead' }).click()
}

test('do menu da conversa: diz o que muda, sai do quadro na hora, e se desfaz', async () => {
  const { network } = await open()
  await openMenu()
  await expect.element(marking.getByText('Ninguém mais vê, nem o administrador')).toBeVisible()
  await expectAccessibleInBoth()
  await marking.getByRole('button', { name: 'Marcar como particular' }).click()
  await expect.element(card('Célia Moura')).not.toBeInTheDocument()
  await expect.element(page.getByText('Célia Moura saiu do quadro')).toBeVisible()
  await expect
    .poll(() => network.bodiesOf(PRIVATE))
    .toMatchObject([{ p_contact_id: 1, p_number: null, p_operation_id: expect.any(String) }])
  await page.getByRole('button', { name: 'Desfazer' }).click()
  await expect.element(card('Célia Moura')).toBeVisible()
  const [{ p_operation_id: operation }] = network.bodiesOf(PRIVATE) as [Record<string, unknown>]
  await expect
    .poll(() => network.bodiesOf(PUBLIC))
    .toMatchObject([{ p_contact_id: 1, p_marked_by: operation }])
})

test('do cartão, sem sinal: sai do quadro, e desfazer não deixa nada a enviar', async () => {
  const { network } = await open()
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  dispatchEvent(new Event('offline'))
  await card('Célia Moura')
    .getByRole('button', { name: /^Mover/ })
    .click()
  await page.getByRole('button', { name: 'Não é lead' }).click()
  await marking.getByRole('button', { name: 'Marcar como particular' }).click()
  await expect.element(card('Célia Moura')).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Desfazer' }).click()
  await expect.element(card('Célia Moura')).toBeVisible()
  online.mockRestore()
  dispatchEvent(new Event('online'))
  expect(network.bodiesOf(PRIVATE)).toEqual([])
})

test('um lead da agência fica no quadro, e o administrador pode ser chamado', async () => {
  const { network } = await open()
  network.on(STAYS, () => WHY)
  network.on('POST /rest/v1/rpc/ask_private', () => true)
  await openMenu()
  await expect.element(staying.getByText(WHY)).toBeVisible()
  await expect.element(staying.getByRole('button', { name: 'Arquivar' })).toBeVisible()
  await expectAccessibleInBoth()
  await staying.getByRole('button', { name: 'Pedir ao administrador' }).click()
  await expect.element(page.getByText('Pedido enviado ao administrador')).toBeVisible()
  expect(network.bodiesOf('POST /rest/v1/rpc/ask_private')).toEqual([{ p_contact_id: 1 }])
  expect(network.bodiesOf(PRIVATE)).toEqual([])
})

test('a lista: com o nome que este aparelho guarda, sem ele nos outros, e de volta para o quadro', async () => {
  const { network } = await open()
  await openMenu()
  await marking.getByRole('button', { name: 'Marcar como particular' }).click()
  await expect.poll(() => network.bodiesOf(PRIVATE)).toHaveLength(1)
  const [{ p_operation_id: operation }] = network.bodiesOf(PRIVATE) as [Record<string, unknown>]
  network.on(LIST, () => [
    { id: 5, last_digits: '0108', since: new Date().toISOString(), contact_id: 1, operation_id: operation },
    { id: 4, last_digits: '0161', since: '2026-01-12T12:00:00Z', contact_id: null, operation_id: null },
  ])
  await page.getByRole('button', { name: /^Conta/ }).click()
  await page.getByRole('button', { name: 'Particulares' }).click()
  await expect.element(list.getByText('Célia Moura')).toBeVisible()
  await expect.element(list.getByText('(11) 95550-0108')).toBeVisible()
  await expect.element(list.getByText('desde hoje')).toBeVisible()
  await expect.element(list.getByText('Número final 0161')).toBeVisible()
  await expectAccessibleInBoth()
  await list.getByRole('button', { name: 'Voltar para o quadro: Célia Moura' }).click()
  await expect.element(list.getByText('Célia Moura')).not.toBeInTheDocument()
  await expect
    .poll(() => network.bodiesOf(PUBLIC))
    .toMatchObject([{ p_private_id: 5, p_marked_by: operation, p_contact_id: 1 }])
})

test('um número antes de a pessoa escrever: conferido, e o nome não sai do aparelho', async () => {
  const { network } = await open()
  network.on(LIST, () => [])
  await page.getByRole('button', { name: /^Conta/ }).click()
  await page.getByRole('button', { name: 'Particulares' }).click()
  await expect.element(list.getByText('Ninguém aqui')).toBeVisible()
  await list.getByRole('button', { name: 'Marcar um número' }).click()
  await list.getByRole('textbox', { name: 'Número com DDD' }).fill('95550-0120')
  await list.getByRole('button', { name: 'Marcar como particular' }).click()
  await expect.element(list.getByText('Falta o DDD.')).toBeVisible()
  await list.getByRole('textbox', { name: 'Número com DDD' }).fill('(11) 95550-0120')
  await list.getByRole('textbox', { name: 'Nome' }).fill('Chaveiro Lima')
  await list.getByRole('button', { name: 'Marcar como particular' }).click()
  await expect.element(list.getByText('Chaveiro Lima')).toBeVisible()
  await expect.poll(() => network.bodiesOf(PRIVATE)).toMatchObject([{ p_number: '+5511955500120' }])
  expect(JSON.stringify(network.bodiesOf(PRIVATE))).not.toContain('Chaveiro')
})
