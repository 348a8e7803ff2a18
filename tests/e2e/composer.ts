// Helpers for a conversation and its composer.
import type { Locator, Page } from '@playwright/test'
import { connect } from '#tests/support/browser/e2e-portal.ts'
import { call } from '#tests/support/portal.ts'
import { brokerNamed, tokenOf } from '#tests/support/browser/session.ts'
import { enterAsBroker, expect, NO_NETWORK, overGateway, REFUSED } from '#tests/support/browser/story.ts'

export const CAMILA = 'corretor_camila'

export const PDF = Buffer.from('%PDF-1.4\n1 0 obj <<>> endobj\ntrailer <<>>\n%%EOF\n')

const FAILED = /net::ERR_(FAILED|ABORTED|CONNECTION)/

export const PAST_A_SECOND = /[1-9]$/

const UNSUPPORTED = /the server responded with a status of 415/

/** Camila's WhatsApp is connected. */
export const test = overGateway.extend<{ isConnected: void }>({
  isConnected: [
    async ({ whatsapp }, use) => {
      await connect(whatsapp, { username: 'camila', number: '5511955550101' })
      await use()
    },
    { auto: true },
  ],
})

export const WRITING = {
  expectedNoise: { patterns: [REFUSED, NO_NETWORK, FAILED, UNSUPPORTED] },
  permissions: ['microphone', 'clipboard-read', 'clipboard-write'],
}

export async function openConversation(page: Page, name: string) {
  const card = page.getByRole('article', { name: new RegExp(`^${name}`) })
  await card.getByRole('button', { name: /conversa/i }).click()
  const conversation = page.getByRole('dialog', { name: new RegExp(name) })
  await expect(conversation.getByRole('log', { name: 'Mensagens' })).toBeVisible()
  return {
    conversation,
    lines: conversation.getByRole('log', { name: 'Mensagens' }),
    box: conversation.getByRole('textbox', { name: /Mensagem|Legenda/ }),
    send: conversation.getByRole('button', { name: 'Enviar', exact: true }),
  }
}

export async function enter(page: Page, name: string) {
  await enterAsBroker(page)
  // The banner appears after the cards and moves them down, so that an early press would miss.
  await expect(page.getByText('Outro WhatsApp foi conectado no lugar de')).toBeVisible()
  return openConversation(page, name)
}

/** The bubble with this text. */
export const bubble = (lines: Locator, text: string) => lines.locator('.group', { hasText: text })

export async function choose(page: Page, conversation: Locator, source: 'Foto' | 'Arquivo') {
  const chooser = page.waitForEvent('filechooser')
  await conversation.getByRole('button', { name: 'Anexar arquivo' }).click()
  await page.getByRole('menuitem', { name: source }).click()
  return chooser
}

type Row = { body: string; kind: string; content: { width: number; height: number } | null }

/** The server's rows of a lead's conversation, newest first. */
export async function rowsOf(origin: string, body: string): Promise<Row[]> {
  const token = await tokenOf(origin, brokerNamed('camila'))
  const query = `select=body,kind,content&body=eq.${encodeURIComponent(body)}`
  return (await call<Row[]>(`${origin}/rest/v1/whatsapp_messages?${query}`, { token })).body
}
