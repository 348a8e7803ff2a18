// A lead's conversation on the phone, with messages from the test.
import { expect } from 'vitest'
import { page } from 'vitest/browser'
import { type leadRow, messageRow } from './broker-portal.ts'
import { tap } from './device.ts'
import { card, openBoard } from './phone-board.ts'

export const MARINA = 'Marina Tavares'
export const conversation = page.getByRole('dialog', { name: MARINA })

type Row = {
  kind?: string
  body?: string
  content?: object
  type?: string
  delivery?: string
  quoted?: object
  timestamp?: number
  change?: object
}

export async function openWith(
  rows: readonly Row[],
  lead?: ReturnType<typeof leadRow>,
  older: object[] = [],
  replies: object[] = [],
) {
  const { portal, pointer } = await openBoard(lead && [lead])
  const nowSeconds = Math.floor(Date.now() / 1000) - 600
  const lines = rows.map((row, at) => messageRow({ id: at + 1, timestamp: nowSeconds + at, ...row }))
  portal.network.on('GET /rest/v1/whatsapp_messages', ({ url }) =>
    url.searchParams.has('or') ? older : lines.toReversed(),
  )
  portal.network.on('GET /rest/v1/quick_replies', () => replies)
  portal.network.on('GET /api/assist/voice', () => ({ canTranscribe: true }))
  portal.network.on('POST /api/assist/voice/1', () => ({ text: 'Quero visitar sábado.' }))
  portal.network.on('POST /rest/v1/rpc/erased_leads', () => [])
  portal.network.on('POST /api/assist/1/suggestion', () => ({ suggestion: null, isBeingWritten: false }))
  await tap(card(MARINA).getByText('Bom dia!'))
  await expect.element(page.getByRole('textbox', { name: 'Mensagem' })).toBeVisible()
  return { portal, pointer }
}

/** A silent audio file. */
export function silence(seconds = 2): Blob {
  const rate = 8_000
  const bytes = new DataView(new ArrayBuffer(44 + seconds * rate))
  const text = (at: number, words: string) =>
    new TextEncoder().encode(words).forEach((byte, n) => bytes.setUint8(at + n, byte))
  text(0, 'RIFF')
  bytes.setUint32(4, 36 + seconds * rate, true)
  text(8, 'WAVEfmt ')
  bytes.setUint32(16, 16, true)
  bytes.setUint16(20, 1, true)
  bytes.setUint16(22, 1, true)
  bytes.setUint32(24, rate, true)
  bytes.setUint32(28, rate, true)
  bytes.setUint16(32, 1, true)
  bytes.setUint16(34, 8, true)
  text(36, 'data')
  bytes.setUint32(40, seconds * rate, true)
  for (let at = 44; at < bytes.byteLength; at++) bytes.setUint8(at, 128)
  return new Blob([bytes.buffer], { type: 'audio/wav' })
}
