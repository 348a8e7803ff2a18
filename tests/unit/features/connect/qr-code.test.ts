// A QR code's alternative text, and its lifetime.
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import type { Code } from '#features/connect/connection-steps.ts'
import { reduceConnection, startConnection } from '#features/connect/connection-steps.ts'
import { QrCode } from '#features/connect/qr-code.tsx'

function markup(lifetimeMs: number, isOnline = true) {
  const code: Code = {
    kind: 'code',
    image: 'data:image/png;base64,AA==',
    pairingCode: null,
    count: 1,
    limit: 30,
    lifetimeMs,
  }
  const connection = reduceConnection(startConnection(0), { type: 'offered', offer: code, nowMs: 0 })
  return renderToStaticMarkup(
    createElement(QrCode, { connection, code, nowMs: 0, isOnline, onSamePhone: () => undefined }),
  )
}

it.each([45, 20])('the QR\u2019s text contains its lifetime: %i s', (seconds) => {
  expect(markup(seconds * 1_000)).toContain(
    `alt="QR Code para conectar o WhatsApp. Cada código vale ${seconds} segundos."`,
  )
})

it('offline there is no code to scan', () => {
  expect(markup(45_000, false)).not.toContain('<img')
})
