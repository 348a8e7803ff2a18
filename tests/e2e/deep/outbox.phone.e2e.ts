// Nothing a broker does is lost or doubled: with several tabs, other users, old texts and expired tokens.
import type { Page } from '@playwright/test'
import { elsewhere } from '#tests/support/browser/elsewhere.ts'
import { ADMIN, brokerNamed, sessionOf } from '#tests/support/browser/session.ts'
import { expect } from '#tests/support/browser/story.ts'
import { card, enterAndSettle, move, note, ON_THE_DEVICE, queue, test, waitingOn } from '#tests/e2e/outbox.ts'
import { askDevice, putOnDevice, putSession } from '#tests/support/browser/device.ts'

test.use(ON_THE_DEVICE)

test('sem sinal, ir e voltar não deixa nada para enviar; descartar pergunta antes', async ({
  page,
  context,
}) => {
  const sent: string[] = []
  context.on('request', (request) => {
    if (request.url().includes('atualizar_status_lead')) sent.push(request.url())
  })
  await enterAndSettle(page)
  await context.setOffline(true)
  await move(page, 'Luciana Prado', 'Conversa')
  await page.getByRole('button', { name: 'Desfazer' }).click()
  await expect(card(page, 'Luciana Prado')).toBeVisible()
  await expect.poll(() => waitingOn(page)).toEqual([])

  await note(page, 'Luciana Prado', 'Não era para ela.')
  await page.getByRole('button', { name: 'Ver fila' }).click()
  await queue(page)
    .getByRole('button', { name: /^Descartar: Nota sobre Luciana/ })
    .click()
  const question = page.getByRole('dialog', { name: 'Descartar esta alteração?' })
  await question.getByRole('button', { name: 'Manter' }).click()
  await expect(queue(page).getByText('Nota sobre Luciana Prado')).toBeVisible()
  await queue(page)
    .getByRole('button', { name: /^Descartar: Nota sobre Luciana/ })
    .click()
  await question.getByRole('button', { name: 'Descartar' }).click()
  await expect(queue(page).getByText('Tudo enviado.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(card(page, 'Luciana Prado')).not.toContainText('Não era para ela.')
  expect(sent).toEqual([])
})

test('mudou em outro aparelho, e fica a do corretor', async ({ page, context, other }) => {
  await enterAndSettle(page)
  const { id } = await other.lead('Luciana Prado')
  await context.setOffline(true)
  await move(page, 'Luciana Prado', 'Conversa')
  await note(page, 'Rogério Bastos', 'A minha vale.')
  await other.move(id, 'negociacao')
  await other.note((await other.lead('Rogério Bastos')).id, 'A outra.')
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Resolver' }).first().click()
  await queue(page).getByRole('button', { name: 'Mover para Conversa' }).click()
  await queue(page).getByRole('button', { name: 'Usar a minha' }).click()
  await expect(queue(page).getByText('Tudo enviado.')).toBeVisible()
  await expect.poll(async () => (await other.lead('Luciana Prado')).status).toBe('conversa')
  await expect.poll(async () => (await other.lead('Rogério Bastos')).notes).toBe('A minha vale.')
})

test('um estágio que não existe mais segura só a sua própria fila', async ({ page, context, portalUrl }) => {
  const admin = await elsewhere(portalUrl, ADMIN)
  const stages = `${portalUrl}/rest/v1/kanban_stages`
  const authorized = { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' }
  await fetch(stages, {
    method: 'POST',
    headers: authorized,
    body: JSON.stringify({ name: 'Vistoria', slug: 'vistoria', order_index: 6 }),
  })
  await enterAndSettle(page)
  await context.setOffline(true)
  await note(page, 'Rogério Bastos', 'Esta nota passa.')
  await move(page, 'Rogério Bastos', 'Vistoria')
  await fetch(`${stages}?slug=eq.vistoria`, { method: 'DELETE', headers: authorized })
  await context.setOffline(false)
  await expect.poll(async () => (await admin.lead('Rogério Bastos')).notes).toBe('Esta nota passa.')
  await expect(card(page, 'Rogério Bastos')).toContainText('Não foi salvo')
  await card(page, 'Rogério Bastos').getByText('Tentar de novo').click()
  await expect(queue(page)).toContainText('Este estágio não existe mais.')
  await queue(page).getByRole('button', { name: 'Descartar' }).click()
  await page
    .getByRole('dialog', { name: 'Descartar esta alteração?' })
    .getByRole('button', { name: 'Descartar' })
    .click()
  await expect(queue(page).getByText('Tudo enviado.')).toBeVisible()
})

test('duas abas e o navegador em segundo plano enviam ao mesmo tempo, cada alteração uma vez', async ({
  page,
  context,
  portalUrl,
}) => {
  const ids: string[] = []
  context.on('request', (request) => {
    const { p_operation_id: id } = (request.postDataJSON() ?? {}) as { p_operation_id?: string }
    if (id !== undefined) ids.push(id)
  })
  const other = await elsewhere(portalUrl)
  await enterAndSettle(page)
  const second = await context.newPage()
  await second.goto('/broker')
  await expect(second.getByRole('article').first()).toBeVisible()
  await context.setOffline(true)
  await note(page, 'Rogério Bastos', 'Da primeira aba.')
  await note(second, 'Luciana Prado', 'Da segunda aba.')
  await note(page, 'Wesley Nogueira', 'Da primeira, outra vez.')
  // Each tab shows the other's changes.
  await expect(second.getByText('Da primeira aba.')).toBeVisible()
  await context.setOffline(false)
  await expect.poll(() => waitingOn(page)).toEqual([])
  expect((await other.lead('Rogério Bastos')).notes).toBe('Da primeira aba.')
  expect((await other.lead('Luciana Prado')).notes).toBe('Da segunda aba.')
  expect((await other.lead('Wesley Nogueira')).notes).toBe('Da primeira, outra vez.')
  expect(ids).toHaveLength(new Set(ids).size)
  await second.close()
})

test('um token vencido é renovado e a alteração segue', async ({ page, other }) => {
  await enterAndSettle(page)
  const session = JSON.parse(await exchangeSession(page, '')) as { access_token: string }
  const spent = { ...session, access_token: `${session.access_token}x`, expires_at: 1 }
  await exchangeSession(page, JSON.stringify(spent))
  await note(page, 'Rogério Bastos', 'Depois de uma hora.')
  await expect.poll(async () => (await other.lead('Rogério Bastos')).notes).toBe('Depois de uma hora.')
  await expect(page).toHaveURL(/\/broker/)
})

test('outra pessoa no mesmo aparelho não envia a fila da primeira, que espera por ela', async ({
  page,
  context,
  portalUrl,
  other,
}) => {
  await enterAndSettle(page)
  const before = (await other.lead('Luciana Prado')).notes
  await context.setOffline(true)
  await note(page, 'Luciana Prado', 'De Camila, ainda na fila.')
  const rafael = await sessionOf(portalUrl, brokerNamed('rafael'))
  const camila = await exchangeSession(page, JSON.stringify(rafael))
  await context.setOffline(false)
  await page.goto('/broker')
  await expect(page.getByRole('button', { name: /^Conta de rafael/ })).toBeVisible()
  await expect(page.getByRole('article').first()).toBeVisible()
  expect((await other.lead('Luciana Prado')).notes).toBe(before)
  expect(await waitingOn(page)).toEqual(['lead.note queued'])

  await exchangeSession(page, camila)
  await page.goto('/broker')
  await expect.poll(async () => (await other.lead('Luciana Prado')).notes).toBe('De Camila, ainda na fila.')
})

/** Changes the stored session; returns the previous one. */
async function exchangeSession(page: Page, next: string): Promise<string> {
  const [before] = (await askDevice(page, {
    database: 'portal-session',
    store: 'session',
    work: 'getAll',
  })) as string[]
  if (next !== '') await putSession(page, next)
  return before ?? ''
}

test('sem nenhuma aba aberta, o navegador envia quando o sinal volta', async ({ page, context, other }) => {
  await enterAndSettle(page)
  await context.setOffline(true)
  await note(page, 'Rogério Bastos', 'Com o app fechado.')
  // Background Sync is registered.
  await expect.poll(() => page.evaluate(syncTags)).toEqual(['outbox'])
  await page.close()
  await context.setOffline(false)
  await expect.poll(async () => (await other.lead('Rogério Bastos')).notes).toBe('Com o app fechado.')
})

test('um texto que esperou mais de seis horas pergunta antes de ir', async ({ page, context, other }) => {
  await enterAndSettle(page)
  await card(page, 'Wesley Nogueira')
    .getByRole('button', { name: /conversa/i })
    .click()
  const dialog = page.getByRole('dialog')
  const box = dialog.getByRole('textbox', { name: 'Mensagem' })
  await expect(box).toBeVisible()
  await context.setOffline(true)
  const words = `Consegue visitar hoje? ${Date.now()}`
  await box.fill(words)
  await dialog.getByRole('button', { name: 'Enviar', exact: true }).click()
  await expect(dialog.getByText(words)).toBeVisible()
  await expect.poll(() => waitingOn(page)).toContain('message.send queued')
  await ageOutbox(page, 7 * 3_600_000)
  await context.setOffline(false)
  await page.goto('/broker')
  await expect(card(page, 'Wesley Nogueira')).toContainText('Não foi enviada')
  expect(await other.texts(words)).toBe(0)

  await page.getByRole('button', { name: 'Resolver' }).first().click()
  await expect(queue(page)).toContainText(/Escrita há 7 h e ainda não enviada\. Enviar mesmo assim\?/)
  await expect(queue(page)).toContainText(words)
  await queue(page).getByRole('button', { name: 'Enviar', exact: true }).click()
  await expect(queue(page).getByText('Tudo enviado.')).toBeVisible()
  await expect.poll(() => other.texts(words)).toBe(1)
})

async function syncTags(): Promise<string[]> {
  const registration = (await navigator.serviceWorker.ready) as ServiceWorkerRegistration & {
    sync: { getTags: () => Promise<string[]> }
  }
  return registration.sync.getTags()
}

/** Makes all entries look older by this time. */
async function ageOutbox(page: Page, byMs: number): Promise<void> {
  const entries = (await askDevice(page, { store: 'outbox', work: 'getAll' })) as { createdAtMs: number }[]
  const values = entries.map((entry) => ({ ...entry, createdAtMs: entry.createdAtMs - byMs }))
  await putOnDevice(page, { store: 'outbox', values })
}
