// A rotation's lead, accepted by a broker with two devices; another one passed on; the broker pauses.
import type { Page } from '@playwright/test'
import { call } from '#tests/support/portal.ts'
import { brokerNamed, tokenOf } from '#tests/support/browser/session.ts'
import { enterAsBroker, expect, expectAccessible, REFUSED, test } from '#tests/support/browser/story.ts'
import { besides, bring } from '#tests/e2e/rotation.ts'

test.use({ expectedNoise: { patterns: [REFUSED] } })

/** A rotation that no other test uses, with brokers whose boards no test reads. */
const VIEW = 'Vista do Parque'
const BROKERS = ['tatiane', 'fernanda', 'leandro']

test('aceita num aparelho o lead que os dois mostram, passa outro, e pausa a vez', async ({
  page,
  browser,
  portalUrl: origin,
}) => {
  const admin = await besides(origin)
  await admin.make(VIEW, BROKERS)
  await admin.set(VIEW, { needsAcceptance: true, acceptMinutes: 10 })
  const key = await admin.newKey('Portal')
  const arrive = async (nome: string, telefone: string) =>
    expect((await bring(origin, key, { nome, telefone, empreendimento: VIEW })).status).toBe(201)
  const holders = async () => (await admin.open()).map(({ holder }) => holder?.replace('corretor_', ''))
  await arrive('Sofia Prates', '11955507701')
  await expect.poll(async () => (await holders()).some(Boolean)).toBe(true)
  const username = (await holders()).find(Boolean) ?? ''
  const other = await browser.newPage({ baseURL: origin, serviceWorkers: 'block' })
  await enterAsBroker(page, username)
  await enterAsBroker(other, username)
  const offered = (screen: Page) => screen.getByRole('region', { name: 'Leads para aceitar' })
  for (const screen of [page, other]) await expect(offered(screen)).toContainText('Sofia')
  // Before acceptance, nothing else is shown.
  await expect(offered(page)).toContainText(VIEW)
  await expect(offered(page)).not.toContainText('Prates')
  await expect(offered(page).getByRole('timer')).toHaveText(/^\d:\d\d$/)
  await expectAccessible(page)

  await offered(page).getByRole('button', { name: 'Aceitar Sofia' }).click()
  const conversation = page.getByRole('dialog', { name: 'Sofia Prates' })
  await expect(conversation).toBeVisible()
  await expect(offered(other)).toBeHidden()
  await conversation.getByRole('button', { name: 'Opções de Sofia Prates' }).click()
  await page.getByRole('menuitem', { name: 'Ver o caminho deste lead' }).click()
  const course = page.getByRole('dialog', { name: 'Caminho do lead' })
  await expect(course.getByText(/ aceitou\.$/)).toBeVisible()
  await course.getByRole('button', { name: 'Fechar' }).click()
  await conversation.getByRole('button', { name: 'Fechar' }).click()
  await expect(offered(page)).toBeHidden()
  await other.close()

  // One for each broker of the rotation; the others keep their offers.
  await Promise.all(BROKERS.map((_, each) => arrive(`Paulo ${each}`, `1195550${7720 + each}`)))
  await expect.poll(holders).toContain(username)
  await expect(offered(page)).toContainText('Paulo')
  await page.goto(`/broker?oferta=${await firstOffer(origin, username)}&resposta=passar`)
  await expect(page.getByText('Você passou a vez neste lead')).toBeVisible()
  await expect(offered(page)).toBeHidden()
  await expect(page).not.toHaveURL(/oferta/)

  await page.getByRole('button', { name: /^Conta de/ }).click()
  await page.getByRole('button', { name: /^Roleta/ }).click()
  const own = page.getByRole('dialog', { name: 'Roleta' })
  await expect(own.getByText(/de \d+ leads? \(/).first()).toBeVisible()
  await own.getByRole('button', { name: 'Pausar até eu voltar' }).click()
  await expect(own.getByText('Em pausa até você voltar.')).toBeVisible()
  await expectAccessible(page)
  await own.getByRole('button', { name: 'Voltar a receber' }).click()
  await expect(own.getByText('Você está recebendo leads na sua vez.')).toBeVisible()
})

/** The id that a push would contain. */
async function firstOffer(origin: string, username: string): Promise<number> {
  const token = await tokenOf(origin, brokerNamed(username))
  const { body } = await call<{ offers: { id: number }[] }>(`${origin}/api/roleta/mine`, { token })
  return body.offers[0]?.id ?? 0
}
