// Equipes, from the first team to a gerente who works on the own team alone, and a lead that goes to a colleague.
import type { Page } from '@playwright/test'
import { onOwnDemo } from '#tests/support/browser/own-portal.ts'
import { enterAsAdmin, enterAsBroker, expect, expectAccessible } from '#tests/support/browser/story.ts'

/** A portal for this file alone, because teams change what every broker sees. */
const test = onOwnDemo()

const PASSWORD = 'senha-de-teste'

async function addTeam(page: Page, name: string, brokers: string[]) {
  await page.getByRole('button', { name: 'Nova equipe' }).click()
  await page.getByLabel('Nome da equipe').fill(name)
  await page.getByRole('button', { name: 'Criar equipe' }).click()
  const team = page.getByRole('region', { name, exact: true })
  await expect(team.getByText('Sem gerente')).toBeVisible()
  for (const broker of brokers) {
    await page.getByRole('button', { name: `Mais opções de ${broker}`, exact: true }).click()
    await page.getByRole('menuitem', { name, exact: true }).click()
    await expect(team.getByText(broker)).toBeVisible()
  }
  return team
}

test('o administrador monta as equipes, e o gerente vê a dele', async ({ page, browser }) => {
  await enterAsAdmin(page, '/equipes')
  await expect(page.getByText('Nenhuma equipe')).toBeVisible()
  await addTeam(page, 'Lago', ['Camila', 'Rafael'])
  const serra = await addTeam(page, 'Serra', ['Tatiane', 'Gustavo'])
  await expectAccessible(page)

  // By mouse, and back by the toast.
  const row = page.getByRole('button', { name: 'Mover Simone de equipe' })
  const [from, to] = [await row.boundingBox(), await serra.boundingBox()]
  if (!from || !to) throw new Error('nothing to drag')
  await page.mouse.move(from.x + 12, from.y + 16)
  await page.mouse.down()
  await page.mouse.move(from.x - 60, from.y, { steps: 6 })
  await page.mouse.move(to.x + to.width / 2, to.y + 120, { steps: 12 })
  await expect(page.getByText('Soltar: Simone entra em Serra')).toBeVisible()
  await page.mouse.up()
  await expect(serra.getByText('Simone')).toBeVisible()
  await page.getByRole('button', { name: 'Desfazer' }).click()
  await expect(serra.getByText('Simone')).toBeHidden()

  await serra.getByRole('button', { name: 'Escolher' }).click()
  await page.getByRole('button', { name: /^Novo gerente/ }).click()
  await page.getByLabel('Usuário').fill('heloisa')
  await page.getByRole('button', { name: 'Adicionar gerente' }).click()
  const invitation = page.getByRole('dialog', { name: 'Link de primeiro acesso' })
  const link = await invitation.getByRole('textbox').inputValue()
  await invitation.getByRole('button', { name: 'Concluir' }).click()
  await expect(serra.getByText('Gerente · aguardando primeiro acesso')).toBeVisible()

  const heloisa = await browser.newPage()
  await heloisa.goto(link)
  await heloisa.getByLabel('Nova senha', { exact: true }).fill(PASSWORD)
  await heloisa.getByLabel('Confirme a nova senha').fill(PASSWORD)
  await heloisa.getByRole('button', { name: 'Definir nova senha' }).click()
  await expect(heloisa.getByRole('heading', { name: 'Agora', level: 1 })).toBeVisible()
  await expectAccessible(heloisa)
  await heloisa.getByRole('link', { name: 'CRM' }).click()
  await expect(heloisa.getByRole('button', { name: /^Tatiane/ }).first()).toBeVisible()
  await expect(heloisa.getByText('Camila')).toHaveCount(0)
  await expectAccessible(heloisa)
  await heloisa.goto('/prompts')
  await expect(heloisa).toHaveURL('/')
  await heloisa.close()
})

test('Camila passa um lead a Rafael, que aceita', async ({ page, browser }) => {
  await enterAsAdmin(page, '/equipes')
  await expect(page.getByRole('region', { name: 'Lago', exact: true })).toBeVisible()

  const camila = await browser.newPage()
  await enterAsBroker(camila)
  const card = camila.getByRole('article').first()
  const lead = (await card.getByRole('heading').first().textContent()) ?? ''
  await card.click()
  await camila.getByRole('button', { name: `Opções de ${lead}` }).click()
  await camila.getByRole('menuitem', { name: 'Passar para…' }).click()
  await camila.getByRole('button', { name: 'Rafael' }).click()
  await expect(camila.getByText(/^Rafael recebe o pedido/).first()).toBeVisible()

  const rafael = await browser.newPage()
  await enterAsBroker(rafael, 'rafael')
  await expect(rafael.getByText('Camila quer passar este lead para você')).toBeVisible()
  await expectAccessible(rafael)
  await rafael.getByRole('button', { name: /^Aceitar/ }).click()
  await expect(rafael.getByRole('article', { name: new RegExp(lead) }).first()).toBeVisible()
  await camila.close()
  await rafael.close()
})
