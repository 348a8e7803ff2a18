// In WebKit and in Firefox, too, nothing that a broker does is lost or doubled when the portal stops and comes back.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { elsewhere } from '#tests/support/browser/elsewhere.ts'
import { freePort } from '#tests/support/free-port.mjs'
import { type RunningPortal, startPortal } from '#tests/support/portal.ts'
import { enterByForm, openBrowser, type Browser } from '#tests/support/other-browsers/open.ts'

/** The app retries by itself, at growing intervals. */
const LOOKS_AGAIN_WITHIN_MS = 90_000

let dataDir: string
let start: () => Promise<RunningPortal>
let portal: RunningPortal
let browser: Browser
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'portal-other-browsers-'))
  const env = { DEMO: '1', PORT: String(await freePort()) }
  start = () => startPortal(dataDir, env)
  portal = await start()
  browser = await openBrowser(portal.origin)
})
afterEach(async ({ task }) => {
  await browser.close(task)
  await portal.process.kill('SIGTERM')
  await rm(dataDir, { recursive: true, force: true })
})

test('com o portal parado tudo espera no aparelho, também depois de reabrir, e chega uma vez e na ordem', async () => {
  const { page } = browser
  await enterByForm(page)
  await page.run(async () => void (await navigator.serviceWorker.ready))
  await expect.poll(() => page.run(() => navigator.serviceWorker.controller !== null)).toBe(true)
  const marina = page.find('article', /^Marina Tavares/)
  const rogerio = page.find('article', /^Rogério Bastos/)
  const luciana = page.find('article', /^Luciana Prado/)
  const conversation = page.find('dialog', /Luciana Prado/)
  const say = async (words: string) => {
    await conversation.find('textbox', 'Mensagem').fill(words)
    await conversation.find('button', 'Enviar').click()
    await expect.poll(() => conversation.find('log', 'Mensagens').text()).toContain(words)
  }
  const leave = async () => {
    await page.back()
    await expect.poll(() => conversation.count()).toBe(0)
  }
  await luciana.find('button', /conversa/i).click()
  await say('Bom dia, Luciana!')
  const online = await elsewhere(portal.origin)
  const { id } = await online.lead('Luciana Prado')
  await expect.poll(() => online.told(id)).toContain('Bom dia, Luciana!')
  await leave()
  await portal.process.kill('SIGTERM')

  await rogerio.find('button', 'Notas').click()
  const notes = page.find('dialog', 'Notas do Lead')
  await notes.find('textbox', 'Notas do Lead').fill('Visita no sábado às 10h.')
  await notes.find('button', 'Salvar').click()
  await marina.find('button', /Mover/).click()
  await page
    .find('dialog', 'Mover para')
    .find('menuitemradio', /^Negociação/)
    .click()
  await luciana.find('button', /conversa/i).click()
  await say('Consegui a visita.')
  await say('Sábado às 10h está bom?')
  await leave()
  await expect.poll(() => rogerio.text()).toMatch(/Visita no sábado às 10h\.[^]*Na fila/)

  // The app opens from stored data, because the portal is down.
  await page.goto('/broker')
  await expect.poll(() => rogerio.text()).toMatch(/Visita no sábado às 10h\.[^]*Na fila/)
  await expect.poll(() => page.find('heading', 'Novos Contatos (11)').count()).toBe(1)
  expect(await marina.count()).toBe(0)
  await page.find('button', 'Ver fila').click()
  const queue = page.find('dialog', 'Pendências')
  for (const line of [
    'Nota sobre Rogério Bastos',
    'Mover Marina Tavares para Negociação',
    'Consegui a visita.',
    'Sábado às 10h está bom?',
  ])
    await expect.poll(() => queue.text()).toContain(line)

  portal = await start()
  const other = await elsewhere(portal.origin)
  await expect.poll(() => queue.text(), { timeout: LOOKS_AGAIN_WITHIN_MS }).toContain('Tudo enviado.')
  expect((await other.lead('Rogério Bastos')).notes).toBe('Visita no sábado às 10h.')
  expect((await other.lead('Marina Tavares')).status).toBe('negociacao')
  expect((await other.told(id)).slice(-3)).toEqual([
    'Bom dia, Luciana!',
    'Consegui a visita.',
    'Sábado às 10h está bom?',
  ])
  await expect.poll(() => rogerio.text()).not.toContain('Na fila')
  for (const words of ['Bom dia, Luciana!', 'Consegui a visita.', 'Sábado às 10h está bom?'])
    expect(await other.texts(words), words).toBe(1)
}, 240_000)
