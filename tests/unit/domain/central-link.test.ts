// Links to a central number, and their QR code, decoded again.
import { decodeQR } from 'qr/decode.js'
import { expect, test } from 'vitest'
import { centralLink, centralText } from '#domain/phone/central-link.ts'
import { qrOf, svgOf } from '#features/links/qr.ts'

test('a number in any form becomes an international one, with the text', () => {
  const link =
    'https://wa.me/5511905550148?text=Ol%C3%A1!%20Quero%20saber%20mais%20sobre%20Jardim%20%26%20Cia.%20(JC)'
  for (const number of ['(11) 90555-0148', '5511905550148', '+55 11 90555 0148'])
    expect(centralLink(number, centralText('Jardim & Cia', 'JC'))).toBe(link)
  expect(centralText(null, 'Q1A2B3C')).toBe('Olá! Quero saber mais. (Q1A2B3C)')
})

test('the printed code decodes to the link, even without a corner', () => {
  const link = centralLink('5511905550148', centralText('Mirante do Lago', 'MIRANTE'))
  const { size, path } = qrOf(link)
  const scale = 4
  const width = size * scale
  const data = new Uint8Array(width * width * 4).fill(255)
  const paint = (x: number, y: number, tone: number) => {
    for (let dy = 0; dy < scale; dy += 1)
      for (let dx = 0; dx < scale; dx += 1)
        data.set([tone, tone, tone], ((y * scale + dy) * width + x * scale + dx) * 4)
  }
  for (const [, x, y] of path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) paint(Number(x), Number(y), 0)
  expect(decodeQR({ width, height: width, data })).toBe(link)
  for (let y = size - 12; y < size - 4; y += 1) for (let x = size - 12; x < size - 4; x += 1) paint(x, y, 255)
  expect(decodeQR({ width, height: width, data })).toBe(link)
  expect(svgOf({ size, path })).toContain(`viewBox="0 0 ${size} ${size}"`)
})
