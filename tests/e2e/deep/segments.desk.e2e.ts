// A campaign to a segment from the first condition to its start, by mouse and by keyboard, and its later result.
import { formatNumber } from '#domain/count.ts'
import { numberIn } from '#tests/support/browser/number-in.ts'
import { onOwnDemo } from '#tests/support/browser/own-portal.ts'
import { enterAsAdmin, expect, expectAccessible } from '#tests/support/browser/story.ts'
import type { Page } from '@playwright/test'

/** This file has its own portal, because the campaign keeps brokers from planning another one. */
const test = onOwnDemo()

const panel = (page: Page) => page.getByRole('region', { name: 'Quem recebe' })
const list = (page: Page, name: string) => page.getByRole('dialog', { name })

/** Waits until the count belongs to the conditions on the screen, and reads its large number. */
async function receiving(page: Page): Promise<number> {
  await expect(panel(page)).toHaveAttribute('aria-busy', 'false')
  return numberIn(await panel(page).getByRole('status').textContent(), /^([\d.]+)/)
}

/** Expects the list of a row to have as many persons as the row's number says. */
async function expectListed(page: Page, name: string) {
  const row = panel(page).getByRole('button', { name: new RegExp(`^${name}`) })
  const count = numberIn(await row.textContent(), /([\d.]+)$/)
  await row.click()
  await expect(list(page, name).getByText(new RegExp(`^${formatNumber(count)} contatos?`))).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(list(page, name)).toBeHidden()
}

test('o administrador escolhe para quem, vê quem fica fora e por quê, e guarda o segmento', async ({
  page,
}) => {
  await enterAsAdmin(page, '/remarketing')
  await page.getByRole('button', { name: 'Nova campanha' }).click()
  await expect(page.getByRole('heading', { name: 'Nova campanha' })).toBeVisible()
  const everybody = await receiving(page)
  await expectAccessible(page)

  const stages = page.getByRole('group', { name: 'Estágio' })
  await stages.getByRole('button', { name: 'Conversa' }).click()
  const talking = await receiving(page)
  expect(talking).toBeGreaterThan(0)
  expect(talking).toBeLessThan(everybody)
  // A lead matches a row if one of its chips fits.
  await stages.getByRole('button', { name: 'Negociação' }).focus()
  await page.keyboard.press('Space')
  const both = await receiving(page)
  expect(both).toBeGreaterThan(talking)
  await page.getByLabel('Dias sem conversa').fill('3')
  expect(await receiving(page)).toBeLessThanOrEqual(both)

  await page.getByRole('button', { name: /^Ver / }).click()
  await expect(
    list(page, 'Recebem').getByText(new RegExp(`^${formatNumber(await receiving(page))} contatos?`)),
  ).toBeVisible()
  await page.keyboard.press('Escape')
  for (const row of await panel(page).getByRole('list', { name: 'Ficam fora' }).getByRole('button').all())
    await expectListed(page, (await row.locator('span span').first().textContent()) ?? '')

  await page.getByRole('button', { name: /^Segmentos salvos/ }).click()
  await page.getByRole('menuitem', { name: 'Salvar como novo segmento' }).click()
  await page.getByLabel('Nome').fill('Parados em negociação')
  await page.getByRole('button', { name: 'Salvar', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Parados em negociação' })).toBeVisible()
  await page.getByRole('button', { name: 'Limpar' }).click()
  expect(await receiving(page)).toBe(everybody)
  await page.getByRole('button', { name: /^Segmentos salvos 1/ }).click()
  await page.getByRole('menuitem', { name: 'Parados em negociação' }).click()
  await expect(stages.getByRole('button', { name: 'Negociação' })).toHaveAttribute('aria-pressed', 'true')
})

test('onde ninguém combina, diz qual condição tirar; com poucos não compara', async ({ page }) => {
  await enterAsAdmin(page, '/remarketing?nova=quem')
  await page.getByRole('button', { name: 'Limpar' }).click()
  await receiving(page)
  await page.getByLabel('Valor mínimo').fill('900 mi')
  await page.getByRole('switch', { name: 'Incluir quem não tem valor' }).uncheck({ force: true })
  await expect(panel(page).getByText('Ninguém combina')).toBeVisible()
  await expect(panel(page).getByText(/^Tire uma condição: sem o valor são [\d.]+\.$/)).toBeVisible()
  await expect(page.getByText('Poucos contatos para comparar.')).toBeVisible()
  await expect(page.getByRole('switch', { name: /^Deixar 10% de fora/ })).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Escrever a mensagem' })).toBeDisabled()
})

test('a campanha começa em um passo de conferência, e diz quando o resultado aparece', async ({ page }) => {
  await enterAsAdmin(page, '/remarketing?nova=quem')
  await page.getByRole('button', { name: 'Limpar' }).click()
  const count = await receiving(page)
  const heldOut = numberIn(
    await panel(page)
      .getByRole('button', { name: /^Sorteados para não receber/ })
      .textContent(),
    /([\d.]+)$/,
  )
  expect(heldOut).toBeGreaterThan(0)
  await expectListed(page, 'Sorteados para não receber')
  await page.getByRole('button', { name: 'Escrever a mensagem' }).click()
  await page.getByRole('textbox', { name: 'Mensagem' }).fill('Oi, {nome}! Temos novidades.')
  await expect(page.getByRole('region', { name: 'Como vai chegar' })).toContainText('Temos novidades.')
  await expectAccessible(page)
  // The draft is kept over a reload.
  await page.reload()
  await expect(page.getByRole('textbox', { name: 'Mensagem' })).toHaveValue('Oi, {nome}! Temos novidades.')
  await page.getByRole('button', { name: 'Conferir e iniciar' }).click()
  await page.getByText('Agendar').click()
  await expectAccessible(page)
  await page.getByRole('button', { name: /^Iniciar campanha/ }).click()
  await expect(page.getByText(`Campanha para ${formatNumber(count)} contatos agendada`).first()).toBeVisible()

  const row = page.getByRole('table', { name: 'Campanhas por segmento' }).getByRole('row').last()
  await expect(row).toContainText(`0 / ${formatNumber(count)}`)
  await expect(row).toContainText(/Aparece em/)
  await row.getByRole('button').first().click()
  const result = page.getByRole('dialog', { name: 'Campanha por segmento' })
  await expect(result.getByText(/^O resultado aparece em/)).toBeVisible()
  await expect(result.getByText(new RegExp(`${formatNumber(heldOut)} de fora por sorteio`))).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  // Every broker has a campaign now, so nobody can get another one.
  await page.getByRole('button', { name: 'Nova campanha' }).click()
  await expect(panel(page).getByRole('button', { name: /^Corretor com campanha/ })).toBeVisible()
})
