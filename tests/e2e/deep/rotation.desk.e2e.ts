// Rotations managed by an administrator and filled through an intake key.
import type { Locator, Page } from '@playwright/test'
import {
  enterAsAdmin,
  expect,
  expectAccessible,
  goTo,
  NO_NETWORK,
  REFUSED,
} from '#tests/support/browser/story.ts'
import { onOwnDemo } from '#tests/support/browser/own-portal.ts'
import { besides, bring, MIRANTE } from '#tests/e2e/rotation.ts'

const test = onOwnDemo()
test.use({ expectedNoise: { patterns: [REFUSED, NO_NETWORK] } })

const row = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })
const detailsOf = (page: Page) => page.getByRole('dialog', { name: 'Detalhes da Roleta' })

const brokersIn = (dialog: Locator) =>
  dialog.getByRole('list', { name: 'Corretores' }).getByRole('button', { name: /^Regras de/ })

const namesIn = (dialog: Locator) =>
  dialog
    .getByRole('button', { name: /^Reordenar/ })
    .evaluateAll((grips) =>
      grips.map((grip) => (grip.getAttribute('aria-label') ?? '').replace('Reordenar ', '')),
    )

async function openRotation(page: Page, name: string) {
  await page.getByRole('button', { name: `Abrir a roleta ${name}` }).click()
  const dialog = detailsOf(page)
  await expect(brokersIn(dialog).first()).toBeVisible()
  return dialog
}

test('cria, desliga e remove roletas, e torna central um número que não está em nenhuma', async ({
  page,
}) => {
  await enterAsAdmin(page, '/roleta')
  await expect(row(page, MIRANTE)).toContainText(/6 corretores · Criada em \d{2}\/\d{2}\/\d{4}/)
  await expect(row(page, 'Vista Serrana')).toContainText('Inativa')
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expectAccessible(page)
  }

  await page.getByRole('button', { name: 'Nova Roleta' }).click()
  const field = page.getByLabel('Nome do Empreendimento')
  await field.press('Enter')
  await expect(page.getByText('Nome do empreendimento é obrigatório')).toBeVisible()
  await field.fill(MIRANTE)
  await field.press('Enter')
  await expect(page.getByText('Já existe uma roleta com este nome.')).toBeVisible()
  await field.fill('Porto Aurora')
  await field.press('Enter')
  await expect(page.getByText('Roleta criada com sucesso!')).toBeVisible()
  await expect(row(page, 'Porto Aurora')).toContainText('0 corretores')
  await expect(row(page, 'Porto Aurora').getByText('Ativa', { exact: true })).toBeVisible()

  const toggle = page.getByRole('switch', { name: 'Roleta Porto Aurora ativa' })
  await toggle.focus()
  await page.keyboard.press('Space')
  await expect(row(page, 'Porto Aurora')).toContainText('Inativa')
  await page.reload()
  await expect(row(page, 'Porto Aurora')).toContainText('Inativa')
  await page.route('**/rest/v1/rpc/set_roleta_ativa', (route) => route.abort('internetdisconnected'))
  await toggle.focus()
  await page.keyboard.press('Space')
  await expect(page.getByText('Erro ao alterar status da roleta')).toBeVisible()
  await expect(row(page, 'Porto Aurora')).toContainText('Inativa')

  await page.getByRole('button', { name: 'Remover a roleta Porto Aurora' }).click()
  const question = page.getByRole('dialog', {
    name: 'Tem certeza que deseja remover a roleta "Porto Aurora"?',
  })
  await question.getByRole('button', { name: 'Cancelar' }).click()
  await expect(row(page, 'Porto Aurora')).toBeVisible()
  await page.getByRole('button', { name: 'Remover a roleta Porto Aurora' }).click()
  await question.getByRole('button', { name: 'Remover', exact: true }).click()
  await expect(page.getByText('Roleta removida com sucesso!')).toBeVisible()
  await expect(row(page, 'Porto Aurora')).toHaveCount(0)

  // A central number's leads belong to a rotation, so its broker must not have a seat.
  await goTo(page, '/')
  const card = page.getByRole('article', { name: 'Novato', exact: true })
  await card.getByRole('button', { name: 'Tornar central o número de Novato' }).click()
  const asked = page.getByRole('dialog', { name: 'Usar o número de Novato como central?' })
  // The toast lasts three seconds, so the wait starts before the press.
  const said = page.getByText('O número de Novato agora é central').waitFor()
  await asked.getByRole('button', { name: 'Tornar central' }).click()
  await said
  await expect(card.getByText('Central', { exact: true })).toBeVisible()
  await card.getByRole('button', { name: 'Devolver o número a Novato' }).click()
  await page.getByRole('button', { name: 'Devolver ao corretor' }).click()
  await expect(card.getByText('Central', { exact: true })).toHaveCount(0)
  await page.getByRole('button', { name: 'Tornar central o número de Camila' }).click()
  await page.getByRole('button', { name: 'Tornar central', exact: true }).click()
  await expect(page.getByText(/^Erro ao mudar o número central: /)).toBeVisible()
})

test('edita os detalhes: nada vale antes de salvar, e a ordem muda com o mouse e com o teclado', async ({
  page,
}) => {
  await enterAsAdmin(page, '/roleta')
  let dialog = await openRotation(page, MIRANTE)
  const before = await namesIn(dialog)
  const [first = '', second = '', third = '', ...rest] = before
  const save = dialog.getByRole('button', { name: 'Salvar Alterações' })
  await expect(save).toBeDisabled()
  await expect(dialog.getByText('Nenhuma alteração')).toBeVisible()

  // With the mouse: the first below the second.
  const [from, to] = await Promise.all([
    dialog.getByRole('button', { name: `Reordenar ${first}` }).boundingBox(),
    dialog.getByRole('button', { name: `Reordenar ${second}` }).boundingBox(),
  ])
  if (!from || !to) throw new Error('rows out of sight')
  await page.mouse.move(from.x + 10, from.y + 20)
  await page.mouse.down()
  await page.mouse.move(from.x + 10, from.y + 28)
  await page.mouse.move(to.x + 10, to.y + 24, { steps: 6 })
  await page.mouse.up()
  await expect.poll(() => namesIn(dialog)).toEqual([second, first, third, ...rest])
  await expect(dialog.getByText('Ordem alterada')).toBeVisible()

  // With keys: picked up, moved, dropped; and cancelled.
  const grip = dialog.getByRole('button', { name: `Reordenar ${first}` })
  await grip.focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Space')
  await expect.poll(() => namesIn(dialog)).toEqual([second, third, first, ...rest])
  await expect(grip).toBeFocused()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeVisible()
  await expect.poll(() => namesIn(dialog)).toEqual([second, third, first, ...rest])
  await dialog.getByRole('button', { name: `Mover ${first} para cima` }).focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => namesIn(dialog)).toEqual([second, first, third, ...rest])

  // A broker with a seat cannot be picked again.
  await dialog.getByRole('button', { name: 'Adicionar Corretor' }).click()
  const picker = page.getByRole('dialog', { name: 'Selecionar Corretor' })
  await expect(picker.getByRole('button', { name: new RegExp(`^${first}`) })).toHaveCount(0)
  await picker.getByPlaceholder('Buscar corretor por nome...').fill('rafa')
  await expectAccessible(page)
  await picker.getByRole('button', { name: /^Rafael/ }).click()
  await expect(dialog.getByText('Ordem e 1 corretor alterados')).toBeVisible()
  await expect.poll(async () => (await namesIn(dialog)).at(-1)).toBe('Rafael')
  await expectAccessible(page)

  // 'Cancelar' discards what was typed.
  await dialog.getByRole('button', { name: 'Cancelar' }).click()
  await expect(dialog).toBeHidden()
  dialog = await openRotation(page, MIRANTE)
  expect(await namesIn(dialog)).toEqual(before)

  // Saved together.
  await dialog.getByRole('button', { name: `Tirar ${third} da roleta` }).click()
  await brokersIn(dialog).first().click()
  const rules = page.getByRole('dialog', { name: `Regras de ${first}` })
  await rules.getByLabel('Peso').selectOption('2')
  await rules.getByText('Só em horários').click()
  await expectAccessible(page)
  await rules.getByRole('button', { name: 'Aplicar' }).click()
  await expect(brokersIn(dialog).first()).toContainText('peso 2 · seg a sex 9h–18h')
  await dialog.getByLabel('Nome do Empreendimento').fill('Mirante do Lago II')
  await dialog.getByRole('button', { name: 'Salvar Alterações' }).click()
  await expect(page.getByText('Alterações salvas com sucesso!')).toBeVisible()
  await expect(dialog).toBeHidden()
  await expect(row(page, 'Mirante do Lago II')).toContainText('5 corretores')
  await page.reload()
  dialog = await openRotation(page, 'Mirante do Lago II')
  // Stored data is shown first.
  await expect.poll(() => namesIn(dialog)).toEqual([first, second, ...rest])
  await expect(brokersIn(dialog).first()).toContainText('peso 2')

  // The test restores the rotation for other tests, on a narrow screen.
  await page.setViewportSize({ width: 390, height: 844 })
  await dialog.getByLabel('Nome do Empreendimento').fill(MIRANTE)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Salvar Alterações' }).click()
  await expect(row(page, MIRANTE)).toBeVisible()
})

test('vê que outra pessoa salvou antes, e refaz sobre o que ficou', async ({ page, portalUrl: origin }) => {
  const other = await besides(origin)
  await enterAsAdmin(page, '/roleta')
  const dialog = await openRotation(page, 'Jardim das Acácias')
  await dialog.getByLabel('Nome do Empreendimento').fill('Jardim')
  await other.set('Jardim das Acácias', { maxHops: 4 })
  // Reported live, before a save could overwrite it.
  await expect(dialog.getByRole('button', { name: 'Ver como ficou' })).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Salvar Alterações' })).toBeDisabled()
  await dialog.getByRole('button', { name: 'Ver como ficou' }).click()
  await expect(dialog.getByLabel('Nome do Empreendimento')).toHaveValue('Jardim das Acácias')
  await dialog.getByRole('heading', { name: 'Distribuição' }).click()
  await expect(dialog.getByLabel('Tentativas antes do bolsão')).toHaveValue('4')
  await dialog.getByRole('heading', { name: 'Simular com os leads do último mês' }).click()
  await dialog.getByRole('button', { name: 'Simular', exact: true }).click()
  await expect(dialog.getByText(/leads? simulados?|Nenhum lead passou/)).toBeVisible()
})

test('liga uma fonte, vê o caminho do lead que entra por ela, lê o que não se lia, manda distribuir, e revoga a fonte', async ({
  page,
  portalUrl: origin,
}) => {
  await enterAsAdmin(page, '/roleta?vista=captacao')
  await page.getByRole('button', { name: 'Ligar uma fonte' }).click()
  const making = page.getByRole('dialog', { name: 'Ligar uma fonte' })
  await expectAccessible(page)
  await making.getByRole('button', { name: /^Site ou outro sistema/ }).click()
  await making.getByLabel('Nome da fonte').fill(' ')
  await making.getByRole('button', { name: 'Ligar', exact: true }).click()
  await expect(making.getByText('Dê um nome à fonte.')).toBeVisible()
  await making.getByLabel('Nome da fonte').fill('Site novo')
  await expectAccessible(page)
  await making.getByRole('button', { name: 'Ligar', exact: true }).click()
  const panel = page.getByRole('region', { name: 'Site novo' })
  const source = page.getByRole('row').filter({ hasText: 'Site novo' })
  await expect(panel).toBeVisible()
  await expect(source).toContainText('Esperando o primeiro')
  await panel.getByRole('button', { name: 'Testar a leitura' }).click()
  await expect(
    panel.getByText('Lido por inteiro: nome, telefone, e-mail, mensagem, código 4471'),
  ).toBeVisible()
  await panel.getByRole('button', { name: 'Mostrar o endereço por 30 segundos' }).click()
  await expect(panel.getByRole('textbox', { name: 'Endereço' })).toHaveValue(/key=pc_/)
  const address = await panel.getByRole('textbox', { name: 'Endereço' }).inputValue()
  const key = new URL(address).searchParams.get('key') ?? ''
  await expectAccessible(page)

  // An unreadable delivery is mapped once, field by field, and read again.
  expect((await bring(origin, key, { cliente: 'Luiz Ramos', apelido: '(11) 95550-7788' })).status).toBe(202)
  await page.reload()
  await page.getByRole('button', { name: 'Ver conteúdo de Site novo' }).click()
  const content = page.getByRole('dialog', { name: 'Conteúdo da entrega' })
  await expect(content.getByLabel('O que é apelido')).toHaveValue('number')
  await expectAccessible(page)
  await content.getByRole('button', { name: 'Salvar e ler de novo' }).click()
  await expect(page.getByText('Lido: Luiz Ramos')).toBeVisible()
  await expect(source).toContainText('Recebendo')

  // No rotation matches: it stays with the administrator.
  const lead = { nome: 'Helena Prado', telefone: '(11) 95550-7781', empreendimento: 'Casa Amarela' }
  expect((await bring(origin, key, lead)).status).toBe(201)
  expect((await bring(origin, key, lead)).body.status).toBe('repetido')
  const admin = await besides(origin)
  await expect
    .poll(async () => (await admin.open()).find(({ name }) => name === 'Helena Prado')?.state)
    .toBe('inbox')
  await page.getByRole('tab', { name: 'Leads a distribuir' }).click()
  const line = page.getByRole('row').filter({ hasText: 'Helena Prado' })
  await expect(line).toContainText('Com o administrador')
  await expectAccessible(page)
  await line.getByRole('button', { name: 'Ver o caminho de Helena Prado' }).click()
  const course = page.getByRole('dialog', { name: 'Caminho do lead' })
  await expect(course.getByText('Pela chave Site novo · origem form')).toBeVisible()
  await expect(course.getByText(/Nenhuma roleta ativa para este empreendimento/)).toBeVisible()
  await expectAccessible(page)
  await course.getByRole('link', { name: 'Abrir no CRM' }).click()
  const talk = page.getByRole('dialog').filter({ hasText: 'Helena Prado' })
  await expect(talk.getByText('Este lead está sem corretor.')).toBeVisible()
  await expect(talk.getByRole('button', { name: 'Passar para...' })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('link', { name: 'Ver todos os sem corretor no CRM' })).toBeVisible()

  // A rotation created for it offers to take it, once it has a broker.
  await page.getByRole('tab', { name: 'Roletas' }).click()
  await page.getByRole('button', { name: 'Nova Roleta' }).click()
  await page.getByLabel('Nome do Empreendimento').fill('Casa Amarela')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Abrir a roleta Casa Amarela' }).click()
  const details = detailsOf(page)
  await details.getByRole('button', { name: 'Adicionar Corretor' }).click()
  await page
    .getByRole('dialog', { name: 'Selecionar Corretor' })
    .getByRole('button', { name: /^Rafael/ })
    .click()
  await details.getByRole('button', { name: 'Salvar Alterações' }).click()
  await row(page, 'Casa Amarela')
    .getByRole('button', { name: 'Distribuir o lead da caixa de entrada' })
    .click()
  await expectAccessible(page)
  await page
    .getByRole('dialog', { name: /pela roleta "Casa Amarela"/ })
    .getByRole('button', { name: 'Distribuir' })
    .click()
  await expect(page.getByText('1 lead a caminho dos corretores.')).toBeVisible()
  await expect.poll(async () => (await admin.open()).map(({ name }) => name)).not.toContain('Helena Prado')

  await page.getByRole('tab', { name: 'Captação' }).click()
  await page.getByRole('button', { name: 'Abrir Site novo' }).click()
  await panel.getByRole('button', { name: 'Revogar' }).click()
  await page
    .getByRole('dialog', { name: 'Revogar "Site novo"?' })
    .getByRole('button', { name: 'Revogar' })
    .click()
  await expect(source).toContainText('Revogada')
  expect((await bring(origin, key, { ...lead, nome: 'Outra' })).status).toBe(401)
})
