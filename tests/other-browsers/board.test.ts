// The core of a broker's day in WebKit and in Firefox, in the size of a phone.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { startDemo } from '#tests/support/browser/e2e-portal.ts'
import { elsewhere } from '#tests/support/browser/elsewhere.ts'
import { enterByForm, openBrowser, type Browser } from '#tests/support/other-browsers/open.ts'

let demo: Awaited<ReturnType<typeof startDemo>>
let browser: Browser
beforeAll(async () => {
  demo = await startDemo()
})
afterAll(() => demo.stop())
beforeEach(async () => {
  browser = await openBrowser(demo.origin)
})
afterEach(({ task }) => browser.close(task))

const NEW = 'Novos Contatos (12)'

test('a corretora entra, vê o quadro, lê uma conversa e escreve uma nota', async () => {
  const { page } = browser
  await enterByForm(page)
  expect(await page.run(() => innerWidth)).toBe(390)
  const rogerio = page.find('article', /^Rogério Bastos/)
  await expect.poll(() => rogerio.text()).toContain('Consigo visitar no sábado')
  await expect.poll(() => page.find('heading', NEW).count()).toBe(1)
  expect(await page.run(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)

  await rogerio.find('button', /conversa/i).click()
  const messages = page.find('dialog', /Rogério Bastos/).find('log', 'Mensagens')
  await expect.poll(() => messages.text()).toContain('Consigo visitar no sábado')
  await expect.poll(() => page.address()).toMatch(/lead=|conversa/)
  await page.back()
  await expect.poll(() => page.find('dialog', /Rogério Bastos/).count()).toBe(0)

  await rogerio.find('button', 'Notas').click()
  const notes = page.find('dialog', 'Notas do Lead')
  await notes.find('textbox', 'Notas do Lead').fill('Prefere visitar de manhã.')
  await notes.find('button', 'Salvar').click()
  await expect.poll(() => notes.count()).toBe(0)
  await expect.poll(() => rogerio.text()).toContain('Prefere visitar de manhã.')
  const other = await elsewhere(demo.origin)
  await expect.poll(async () => (await other.lead('Rogério Bastos')).notes).toBe('Prefere visitar de manhã.')
})

test('um card muda de estágio pela folha e pelo dedo, e Desfazer o traz de volta', async () => {
  const { page } = browser
  const other = await elsewhere(demo.origin)
  const statusOf = async (name: string) => (await other.lead(name)).status
  await enterByForm(page)
  const rogerio = page.find('article', /^Rogério Bastos/)
  await rogerio.find('button', /Mover/).click()
  await page
    .find('dialog', 'Mover para')
    .find('menuitemradio', /^Negociação/)
    .click()
  await expect.poll(() => page.find('heading', 'Novos Contatos (11)').count()).toBe(1)
  await expect.poll(() => page.text()).toContain('Rogério foi para Negociação')
  await page.find('button', 'Desfazer').click()
  await expect.poll(() => page.find('heading', NEW).count()).toBe(1)
  await expect.poll(() => statusOf('Rogério Bastos')).toBe('new')

  const { x, y } = await rogerio.box()
  await page.drag({ x: x + 150, y: y + 30 }, { x: 128, y: 0 })
  await expect.poll(() => page.find('heading', 'Novos Contatos (11)').count()).toBe(1)
  await expect.poll(() => page.text()).toContain('Rogério foi para Conversa')
  await expect.poll(() => page.find('tab', /^Conversa/).text()).toContain('9')
  await page.find('button', 'Desfazer').click()
  await expect.poll(() => page.find('heading', NEW).count()).toBe(1)

  // The card stays in its new stage.
  const again = await rogerio.box()
  await page.drag({ x: again.x + 150, y: again.y + 30 }, { x: 128, y: 0 })
  await expect.poll(() => statusOf('Rogério Bastos')).toBe('conversa')
})

test('o texto escrito continua na caixa depois de recarregar', async () => {
  const { page } = browser
  await enterByForm(page)
  await page
    .find('article', /^Luciana Prado/)
    .find('button', /conversa/i)
    .click()
  const box = page.find('dialog', /Luciana Prado/).find('textbox', 'Mensagem')
  await box.fill('Ainda pensando no que dizer')
  await expect.poll(() => page.run(draftsOf)).toEqual(['Ainda pensando no que dizer'])
  await page.reload()
  await expect.poll(() => box.text()).toBe('Ainda pensando no que dizer')
})

test('uma folha aberta assim que outra se fecha fica aberta, e Voltar a fecha', async () => {
  const { page } = browser
  await enterByForm(page)
  await page
    .find('article', /^Marina Tavares/)
    .find('button', 'Notas')
    .click()
  await expect.poll(() => page.find('dialog', 'Notas do Lead').count()).toBe(1)
  const layer = () => page.run(() => String(history.state?.layer))
  const notes = await layer()
  await page.run(pressOneAfterTheOther, [
    'dialog[open] [aria-label="Fechar"]',
    'article [aria-label^="Mover"]',
  ])
  const sheet = page.find('dialog', 'Mover para')
  await expect.poll(async () => ['undefined', notes].includes(await layer())).toBe(false)
  expect(await sheet.count()).toBe(1)
  await page.back()
  await expect.poll(() => sheet.count()).toBe(0)
  await expect.poll(() => page.find('heading', /^Novos Contatos/).count()).toBe(1)
  expect(await page.address()).toMatch(/^\/broker/)
})

/** Presses the second while the browser is still going back from the first. */
async function pressOneAfterTheOther(selectors: readonly string[]) {
  for (const selector of selectors) {
    const button = document.querySelector<HTMLElement>(selector)
    if (!button) throw new Error(`nothing to press: ${selector}`)
    button.click()
    await new Promise((resolve) => setTimeout(resolve))
  }
}

/** The stored drafts. */
function draftsOf(): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('portal')
    opening.addEventListener('error', () => reject(new Error('portal')))
    opening.addEventListener('success', () => {
      const db = opening.result
      const reading = db.transaction('drafts').objectStore('drafts').getAll()
      reading.addEventListener('success', () => {
        db.close()
        resolve(reading.result.map(({ text }: { text: string }) => text))
      })
    })
  })
}
