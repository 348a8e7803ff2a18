// A broker's stored data is private, through lost sessions, other accounts, weak signals and devices without storage.
import type { BrowserContext, Page } from '@playwright/test'
import { askDevice, putSession } from '#tests/support/browser/device.ts'
import { elsewhere } from '#tests/support/browser/elsewhere.ts'
import { LIFT } from '#tests/support/browser/weak-signal.ts'
import { enterByForm, expect, expectAccessible } from '#tests/support/browser/story.ts'
import {
  card,
  enterAndSettle,
  heldOf,
  leave,
  messages,
  ON_THE_DEVICE,
  openConversation,
  test,
} from '#tests/e2e/local-data.ts'

test.use(ON_THE_DEVICE)

/** The session in auth-js' form. */
async function storedSession(page: Page): Promise<Record<string, unknown>> {
  const [text] = (await askDevice(page, {
    database: 'portal-session',
    store: 'session',
    work: 'getAll',
  })) as string[]
  return JSON.parse(text ?? '{}') as Record<string, unknown>
}

async function note(page: Page, name: string, text: string) {
  await card(page, name).getByRole('button', { name: 'Notas' }).click()
  const dialog = page.getByRole('dialog', { name: 'Notas do Lead' })
  await dialog.getByRole('textbox', { name: 'Notas do Lead' }).fill(text)
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(dialog).toBeHidden()
}

test('os cards aparecem antes de qualquer resposta do portal', async ({ page, line }) => {
  await enterAndSettle(page)
  line.hold()
  const before = line.answeredBytes()
  await page.goto('/broker')
  await expect(card(page, 'Marina Tavares')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Novos Contatos (12)')
  expect(line.answeredBytes()).toBe(before)
  const pulled = page.waitForResponse('**/rest/v1/rpc/sync_board')
  line.release()
  const { cursor, reset } = (await (await pulled).json()) as { cursor: string; reset: boolean }
  expect({ reset, hasCursor: cursor.length > 0 }).toEqual({ reset: false, hasCursor: true })
})

test('a 50 kbit/s e um segundo de demora o quadro vem do aparelho, o movimento aparece na hora e chega uma vez', async ({
  page,
  context,
  line,
  portalUrl,
}) => {
  const other = await elsewhere(portalUrl)
  const { id } = await other.lead('Wesley Nogueira')
  const operations = new Set<unknown>()
  context.on('request', (request) => {
    if (request.url().endsWith('/rpc/atualizar_status_lead'))
      operations.add((request.postDataJSON() as { p_operation_id: string }).p_operation_id)
  })
  await enterAndSettle(page)
  // No answer of the portal arrives before the card has been painted and moved.
  line.shape(LIFT)
  line.hold()
  const before = line.answeredBytes()
  await page.goto('/broker')
  await card(page, 'Wesley Nogueira').getByRole('button', { name: /Mover/ }).click()
  await page.getByRole('menuitemradio', { name: /^Negociação/ }).click()
  await expect(card(page, 'Wesley Nogueira')).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Novos Contatos (11)')
  expect(line.answeredBytes()).toBe(before)
  expect((await other.lead('Wesley Nogueira')).status).toBe('new')
  line.release()
  await expect
    .poll(async () => (await other.lead('Wesley Nogueira')).status, { timeout: 30_000 })
    .toBe('negociacao')
  await expect.poll(() => heldOf(page, 'outbox'), { timeout: 30_000 }).toBe(0)
  expect(operations.size).toBe(1)
  await other.move(id, 'new')
})

test('uma sessão longa sem sinal não termina: nem o token vencido fecha o app', async ({ page, context }) => {
  await enterAndSettle(page)
  await ageSession(page)
  await context.setOffline(true)
  await page.goto('/login')
  await expect(page).toHaveURL(/\/broker/)
  await expect(card(page, 'Marina Tavares')).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByText(/Sem conexão/)).toHaveCount(0)
  await page.reload()
  await expect(card(page, 'Marina Tavares')).toBeVisible()
})

test('um portal fora do alcance também não: o navegador acha que tem rede', async ({ page, line }) => {
  await enterAndSettle(page)
  await ageSession(page)
  line.cut()
  await page.goto('/broker')
  await expect(card(page, 'Marina Tavares')).toBeVisible()
  line.mend()
  await page.reload()
  await expect(card(page, 'Marina Tavares')).toBeVisible()
})

test('a sessão perdida tranca a tela, e a mesma pessoa continua de onde parou', async ({ page, context }) => {
  await enterAndSettle(page)
  await openConversation(page, 'Rogério Bastos')
  await expect(messages(page).getByText('Consigo visitar no sábado')).toBeVisible()
  const address = page.url()
  await endSessions(context, page)
  await page.reload()
  await expect(page.getByText('Sua sessão expirou. Entre de novo.')).toBeVisible()
  await expect(page.getByText('Marina Tavares')).toHaveCount(0)
  await expect(page.getByText('Usuário: camila')).toBeVisible()
  expect(await heldOf(page, 'leads')).toBeGreaterThan(0)
  await expectAccessible(page)
  // Reopening the app does not unlock it, nor does being offline.
  await page.goto('/broker')
  await expect(page.getByText('Sua sessão expirou. Entre de novo.')).toBeVisible()

  await page.goto(address)
  await page.getByLabel('Senha', { exact: true }).fill('não é esta')
  await page.getByRole('button', { name: 'Entrar', exact: true }).click()
  await expect(page.getByText('Senha incorreta')).toBeVisible()
  await page.getByLabel('Senha', { exact: true }).fill('demo-corretor')
  await page.getByRole('button', { name: 'Entrar', exact: true }).click()
  await expect(messages(page).getByText('Consigo visitar no sábado')).toBeVisible()
  expect(page.url()).toBe(address)
})

test('outra conta no mesmo aparelho não vê nada da primeira', async ({ page, context }) => {
  await enterAndSettle(page)
  await endSessions(context, page)
  await page.reload()
  await page.getByRole('button', { name: 'Entrar com outra conta' }).click()
  await expect(page).toHaveURL('/login')
  await page.getByLabel('Usuário').fill('rafael')
  await page.getByRole('button', { name: 'Continuar' }).click()
  await page.getByLabel('Senha', { exact: true }).fill('demo-corretor')
  await page.getByRole('button', { name: 'Entrar' }).click()
  await expect(page.getByRole('button', { name: /^Conta de rafael/ })).toBeVisible()
  await expect(page.getByRole('article').first()).toBeVisible()
  await expect(page.getByText('Marina Tavares')).toHaveCount(0)
  await expect.poll(() => instancesHeld(page)).toEqual(['corretor_rafael'])
  await context.setOffline(true)
  await page.goto('/broker')
  await expect(page.getByRole('article').first()).toBeVisible()
  await expect(page.getByText('Marina Tavares')).toHaveCount(0)
})

test('Sair com algo na fila pergunta antes', async ({ page, context }) => {
  await enterAndSettle(page)
  // Once online, because a screen's chunks are loaded at their first use.
  await note(page, 'Marina Tavares', 'Prefere à tarde.')
  await expect.poll(() => heldOf(page, 'outbox')).toBe(0)
  await context.setOffline(true)
  await note(page, 'Marina Tavares', 'Prefere de manhã.')
  await expect.poll(() => heldOf(page, 'outbox')).toBe(1)
  await leave(page)
  const question = page.getByRole('dialog', { name: 'Sair sem enviar?' })
  await expect(question).toContainText('1 alteração ainda não foi enviada. Saindo agora, ela se perde.')
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Continuar aqui' }).click()
  await expect(question).toBeHidden()
  expect(await heldOf(page, 'outbox')).toBe(1)

  await page.getByRole('dialog').getByRole('button', { name: 'Sair' }).click()
  await question.getByRole('button', { name: 'Sair', exact: true }).click()
  await expect(page).toHaveURL('/login')
  await expect.poll(() => heldOf(page, 'outbox')).toBe(0)
})

test('a fila espera atrás da tela trancada e segue com a mesma pessoa', async ({ page, context }) => {
  await enterAndSettle(page)
  await note(page, 'Luciana Prado', 'Vai conversar com o marido.')
  await expect.poll(() => heldOf(page, 'outbox')).toBe(0)
  await context.setOffline(true)
  await note(page, 'Luciana Prado', 'O marido gostou.')
  await endSessions(context, page)
  await context.setOffline(false)
  await expect(
    page.getByText('Sua sessão expirou. Entre de novo; as alterações na fila estão guardadas.'),
  ).toBeVisible()
  expect(await heldOf(page, 'outbox')).toBe(1)
  await page.getByLabel('Senha', { exact: true }).fill('demo-corretor')
  await page.getByRole('button', { name: 'Entrar', exact: true }).click()
  await expect(card(page, 'Luciana Prado')).toContainText('O marido gostou.')
  await expect.poll(() => heldOf(page, 'outbox')).toBe(0)
  await page.reload()
  await expect(card(page, 'Luciana Prado')).toContainText('O marido gostou.')
})

const NOT_KEPT = 'Este aparelho não está guardando os dados. Sem internet, nada aparece aqui.'

for (const [name, breakStorage] of [
  ['recusa guardar', refuseStorage],
  ['nunca responde', hangStorage],
] as const) {
  test(`um aparelho que ${name} diz isso e funciona com sinal`, async ({ page }) => {
    await page.addInitScript(breakStorage)
    await enterByForm(page)
    await expect(card(page, 'Marina Tavares')).toBeVisible()
    await expect(page.getByText(NOT_KEPT)).toBeVisible()
    await openConversation(page, 'Rogério Bastos')
    await expect(messages(page).getByText('Consigo visitar no sábado')).toBeVisible()
    await expectAccessible(page)
  })
}

test('um aparelho sem espaço diz isso e funciona com sinal', async ({ page }) => {
  await page.addInitScript(fillStorage)
  await enterByForm(page)
  await expect(card(page, 'Marina Tavares')).toBeVisible()
  await expect(
    page.getByText('Sem espaço no aparelho para guardar a fila. Conecte-se para enviar.'),
  ).toBeVisible()
})

/** The instances whose leads the device has stored. */
async function instancesHeld(page: Page): Promise<string[]> {
  const rows = (await askDevice(page, { store: 'leads', work: 'getAll' })) as { instanceName: string }[]
  return [...new Set(rows.map(({ instanceName }) => instanceName))]
}

/** As if the app had been closed for a day: the stored access token has expired. */
async function ageSession(page: Page) {
  await page.goto('/test-supabase')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const aged = JSON.stringify({ ...(await storedSession(page)), expires_at: 1, expires_in: 0 })
  await putSession(page, aged)
}

/** Ends every session of the user on the server, as a new password does, without telling this browser. */
async function endSessions(context: BrowserContext, page: Page) {
  const { access_token: token } = await storedSession(page)
  const answer = await context.request.post('/auth/v1/logout?scope=global', {
    headers: { authorization: `Bearer ${String(token)}` },
  })
  expect(answer.ok()).toBe(true)
}

// Runs in the page before its own scripts.

function refuseStorage() {
  IDBFactory.prototype.open = () => {
    throw new DOMException('The operation is insecure.', 'SecurityError')
  }
}

function hangStorage() {
  IDBFactory.prototype.open = () => new EventTarget() as IDBOpenDBRequest
}

function fillStorage() {
  const put = IDBObjectStore.prototype.put
  IDBObjectStore.prototype.put = function (...parts) {
    if (this.transaction.db.name !== 'portal') return put.apply(this, parts)
    throw new DOMException('Quota exceeded.', 'QuotaExceededError')
  }
}

type TraceEvent = { name: string; args: { data?: { url?: string; consumedCacheSize?: number } } }

test('uma aba nova não compila de novo o que o aparelho guardou', async ({ page, context, browser }) => {
  await enterAndSettle(page)
  const tab = await context.newPage()
  await browser.startTracing(tab, {
    categories: ['v8', 'devtools.timeline', 'disabled-by-default-v8.compile'],
  })
  await tab.goto('/broker')
  await expect(tab.locator('#root article').first()).toBeVisible()
  const trace = JSON.parse(String(await browser.stopTracing())) as { traceEvents: TraceEvent[] }
  const compiled = trace.traceEvents
    .filter(({ name, args }) => name.startsWith('v8.compile') && args.data?.url?.includes('/assets/'))
    .map(({ args }) => [
      args.data?.url?.replace(/.*\/(\w+)-.*/, '$1'),
      (args.data?.consumedCacheSize ?? 0) > 0,
    ])
  expect(Object.fromEntries(compiled)).toMatchObject({ start: true, app: true, board: true })
})
