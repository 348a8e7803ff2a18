// Other apps share a contact, photos or a text with the portal, as the phone does it: by a form to the manifest's
// share_target.
import type { Page } from '@playwright/test'
import { enterAndSettle, ON_THE_DEVICE } from '#tests/e2e/outbox.ts'
import { call } from '#tests/support/portal.ts'
import { ADMIN, tokenOf } from '#tests/support/browser/session.ts'
import { enterAsAdmin, enterAsBroker, expect, expectAccessible, test } from '#tests/support/browser/story.ts'

test.use(ON_THE_DEVICE)

type Shared = { text?: string; files?: { name: string; type: string; content: string }[] }

const CONTACT: Shared = {
  files: [
    {
      name: 'Sandra.vcf',
      type: 'text/x-vcard',
      content:
        'BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Sandra Lemos\r\nTEL;TYPE=CELL:+55 11 95000-0161\r\nEND:VCARD\r\n',
    },
  ],
}
const PHOTO: Shared = {
  files: [
    {
      name: 'planta.svg',
      type: 'image/png',
      content:
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
    },
  ],
}

const adding = (page: Page) => page.getByRole('dialog', { name: 'Adicionar lead' })
const choice = (page: Page) => page.getByRole('dialog', { name: 'Compartilhar com' })

/** Sends the form that a phone sends. `fillBytes`: a further file, so that storing it takes a while. */
const share = (page: Page, shared: Shared, fillBytes = 0) =>
  page.evaluate(
    ({ shared: { text = '', files = [] }, fillBytes }) => {
      const form = document.createElement('form')
      form.method = 'POST'
      form.action = '/compartilhar'
      form.enctype = 'multipart/form-data'
      const field = document.createElement('input')
      field.name = 'text'
      field.value = text
      const chosen = document.createElement('input')
      chosen.type = 'file'
      chosen.name = 'files'
      const list = new DataTransfer()
      for (const { name, type, content } of files) {
        const bytes = type.startsWith('image/')
          ? Uint8Array.from(atob(content), (sign) => sign.codePointAt(0) ?? 0)
          : content
        list.items.add(new File([bytes], name, { type }))
      }
      if (fillBytes > 0)
        list.items.add(new File([new Uint8Array(fillBytes)], 'video.mp4', { type: 'video/mp4' }))
      chosen.files = list.files
      form.append(field, chosen)
      document.body.append(form)
      form.submit()
    },
    { shared, fillBytes },
  )

test('um contato compartilhado sem sinal abre Adicionar lead com nome e número; recarregar não o perde', async ({
  page,
  context,
}) => {
  await enterAndSettle(page)
  await context.setOffline(true)
  await share(page, CONTACT)
  await expect(adding(page).getByLabel('Nome')).toHaveValue('Sandra Lemos')
  await expect(adding(page).getByLabel('WhatsApp')).toHaveValue('(11) 95000-0161')
  await expectAccessible(page)
  await page.reload()
  await expect(adding(page).getByLabel('Nome')).toHaveValue('Sandra Lemos')

  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Descartar' }).click()
  await expect(adding(page)).toBeHidden()
  await page.reload()
  await expect(page.getByRole('article').first()).toBeVisible()
  expect(await stored(page)).toEqual([])
})

test('uma foto com texto vai para a conversa escolhida, sem ser enviada', async ({ page, context }) => {
  await enterAndSettle(page)
  await context.setOffline(true)
  await share(page, { ...PHOTO, text: 'Planta do 42' })
  await expect(choice(page).getByRole('img', { name: 'planta.svg' })).toBeVisible()
  await expectAccessible(page)
  await choice(page)
    .getByRole('button', { name: /^Rogério Bastos/ })
    .click()
  await expect(page).toHaveURL(/lead=/)
  const conversation = page.getByRole('dialog', { name: /Rogério Bastos/ })
  await expect(conversation.getByRole('textbox')).toHaveValue('Planta do 42')
  await expect(conversation.getByText('planta.jpg')).toBeVisible()
  await expect.poll(() => stored(page)).toEqual([])
  await conversation.getByRole('textbox').fill('')
})

test('sem o service worker o servidor devolve o que foi compartilhado ao aparelho', async ({ page }) => {
  await enterAndSettle(page)
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.unregister())
  await page.reload()
  await share(page, { text: 'Me ligue: Otávio, (11) 95000-0162' })
  await expect(choice(page).getByText('Me ligue: Otávio')).toBeVisible()
  await choice(page).getByRole('button', { name: 'Adicionar lead' }).click()
  await expect(adding(page).getByLabel('WhatsApp')).toHaveValue('(11) 95000-0162')
  await expect(adding(page).getByRole('textbox', { name: 'Nota' })).toHaveValue(/Otávio/)
})

test('o que se compartilha enquanto uma versão nova assume chega inteiro', async ({
  page,
  context,
  portalUrl,
}) => {
  await enterAndSettle(page)
  await renameAgency(portalUrl, 'Casa Nova')
  try {
    const other = await context.newPage()
    await enterAsBroker(other)
    await other.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update())
    await other.waitForFunction(
      async () => (await navigator.serviceWorker.getRegistration())?.waiting?.state === 'installed',
    )
    const sharing = share(page, CONTACT, 30_000_000)
    await other.evaluate(async () =>
      (await navigator.serviceWorker.getRegistration())?.waiting?.postMessage({ type: 'SKIP_WAITING' }),
    )
    await sharing.catch(() => undefined)
    await expect(adding(page).getByLabel('Nome')).toHaveValue('Sandra Lemos')
    await takenOver(other)
  } finally {
    await renameAgency(portalUrl, null)
  }
})

test('o que uma conta recebeu não é mostrado a outra, e com Sair some do aparelho', async ({ page }) => {
  await enterAndSettle(page)
  await page.route('**/share.js', (route) => route.fulfill({ body: '' }))
  const key = (owner: string) => `/shared/1-${owner}?owner=${owner}`
  const keep = (owner: string) =>
    page.evaluate(async (to) => {
      const form = new FormData()
      form.append('text', 'De outra conta')
      await (await caches.open('shared')).put(to, new Response(form))
    }, key(owner))
  await keep('de-outra-pessoa')
  await page.reload()
  await expect(page.getByRole('article').first()).toBeVisible()
  // By then the parts that come after the board are there.
  await expect(page.getByRole('link', { name: /^Hoje \d/ })).toBeVisible()
  await expect(choice(page)).toBeHidden()

  const own = await page.evaluate(() => String(JSON.parse(localStorage.getItem('user') ?? '{}').id))
  await keep(own)
  await page.reload()
  await expect(choice(page).getByText('De outra conta')).toBeVisible()
  await page.evaluate(() => history.back())
  await page.getByRole('button', { name: 'Continuar' }).click()
  expect(await stored(page)).toHaveLength(2)
})

test('um administrador é avisado de que só corretores recebem, e nada fica no aparelho', async ({ page }) => {
  await enterAsAdmin(page)
  await page.evaluate(() => navigator.serviceWorker.ready)
  await share(page, { text: 'Segue o contato da Sandra: 11 95000-0161' })
  await expect(page.getByText(/^Nada foi guardado: só corretores recebem/)).toBeVisible()
  expect(await stored(page)).toEqual([])
  await page.getByRole('link', { name: 'Abrir o portal' }).click()
  await expect(page.getByRole('button', { name: /^Conta de/ })).toBeVisible()
})

test('segurar o ícone: Adicionar lead abre a folha, e Voltar fica no quadro', async ({ page }) => {
  await enterAndSettle(page)
  await page.goto('/broker?adicionar=1')
  await expect(adding(page).getByLabel('Nome')).toBeVisible()
  await page.goBack()
  await expect(adding(page)).toBeHidden()
  await expect(page).toHaveURL(/\/broker$/)
})

const takenOver = (page: Page) =>
  page.waitForFunction(async () => (await navigator.serviceWorker.getRegistration())?.waiting === null)

const stored = (page: Page) =>
  page.evaluate(async () => (await (await caches.open('shared')).keys()).map(({ url }) => url))

/** Another brand is another version of the service worker. */
async function renameAgency(origin: string, name: string | null) {
  const token = await tokenOf(origin, ADMIN)
  const { status } = await call(`${origin}/rest/v1/rpc/set_brand`, {
    token,
    body: { p_name: name, p_color: null },
  })
  expect(status).toBe(200)
}
