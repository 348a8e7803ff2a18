// The pure parts of sign-in: passwords, refresh tokens, client addresses, usernames, texts.
import fc from 'fast-check'
import type { Context } from 'hono'
import { expect, test } from 'vitest'
import { fromLoginEmail, loginEmail, toUsername } from '#domain/session.ts'
import { clientAddress, type Bindings } from '#server/auth/client-address.ts'
import { bcryptPasswords, checkNewPassword } from '#server/auth/accounts/passwords.ts'
import { createSuccession, hashSecret, makeRefreshToken } from '#server/auth/tokens/refresh-token.ts'
import { throttledText } from '#server/http/rate-limit.ts'
import { table } from '#tests/support/table.ts'

test("a password is hashed in pgcrypto's form, and verified", async () => {
  const hash = await bcryptPasswords.hash('senha-certa')
  expect(hash).toMatch(/^\$2a\$10\$[./A-Za-z0-9]{53}$/)
  expect(await bcryptPasswords.verify('senha-certa', hash)).toBe(true)
  expect(await bcryptPasswords.verify('senha-errada', hash)).toBe(false)
})

test('both Unicode forms of an accent are one password', async () => {
  const hash = await bcryptPasswords.hash('coração'.normalize('NFD'))
  expect(await bcryptPasswords.verify('coração'.normalize('NFC'), hash)).toBe(true)
})

test('a password longer than bcrypt reads never matches', async () => {
  const hash = await bcryptPasswords.hash('x'.repeat(72))
  expect(await bcryptPasswords.verify('x'.repeat(72), hash)).toBe(true)
  expect(await bcryptPasswords.verify('x'.repeat(73), hash)).toBe(false)
  const empty = await bcryptPasswords.hash('')
  expect(await bcryptPasswords.verify('x'.repeat(73), empty)).toBe(false)
  expect(await bcryptPasswords.verify('\0', empty)).toBe(false)
})

test.each(['seis66', '👍👍👍👍👍👍', 'x'.repeat(72)])('the password %j is allowed', (password) => {
  expect(() => checkNewPassword(password)).not.toThrow()
})

test.each([
  ['', 'password.too-short'],
  ['cinco', 'password.too-short'],
  ['👍👍👍👍👍', 'password.too-short'],
  ['x'.repeat(73), 'password.too-long'],
  ['ç'.repeat(37), 'password.too-long'],
  ['senha\0nova', 'password.bad-character'],
])('the password %j is refused: %s', (password, code) => {
  expect(() => checkNewPassword(password)).toThrow(expect.objectContaining({ code, status: 422 }))
})

test('a refresh token has one successor, which only the secret predicts', () => {
  const next = createSuccession('a secret of thirty-two characters or more')
  const other = createSuccession('another secret of thirty-two characters')
  const first = makeRefreshToken()
  expect(next(first)).toBe(next(first))
  expect(next(first)).not.toBe(other(first))
  const line = Array.from({ length: 50 }).reduce<string[]>(
    (made) => [...made, next(made.at(-1) ?? '')],
    [first],
  )
  expect(new Set(line).size).toBe(51)
  for (const token of line) expect(token).toMatch(/^[\w-]{43}$/)
  expect(Buffer.from(hashSecret('convite')).toString('hex')).toHaveLength(64)
  expect(makeRefreshToken()).not.toBe(makeRefreshToken())
})

const addressOf = (peer: string | undefined, forwarded?: string, hasPublicUrl = true) => {
  const context = {
    env: peer === undefined ? {} : { incoming: { socket: { remoteAddress: peer } } },
    req: { header: () => forwarded },
  }
  // Only these two parts of the context are read.
  return clientAddress(context as unknown as Context<{ Bindings: Bindings }>, hasPublicUrl)
}

test.each([
  [undefined, undefined, 'local'],
  ['203.0.113.7', undefined, '203.0.113.7'],
  ['::ffff:203.0.113.7', undefined, '203.0.113.7'],
  ['::ffff:cb00:7107', undefined, '203.0.113.7'],
  ['0:0:0:0:0:FFFF:203.0.113.7', undefined, '203.0.113.7'],
  ['::ffff:2659', undefined, '0:0:0:0::/64'],
  ['::255.255.38.89', undefined, '0:0:0:0::/64'],
  ['2001:db8:1:2:3:4:5:6', undefined, '2001:db8:1:2::/64'],
  ['2001:DB8::1', undefined, '2001:db8:0:0::/64'],
  ['fe80::1%eth0', undefined, 'fe80:0:0:0::/64'],
  ['::1', '198.51.100.4', '198.51.100.4'],
  ['127.0.0.1', '1.1.1.1, 198.51.100.4', '198.51.100.4'],
  ['127.0.0.1', '198.51.100.4:443', '198.51.100.4'],
  ['172.31.255.1', '[2001:db8::9]:443', '2001:db8:0:0::/64'],
  ['::ffff:10.0.0.1', '::ffff:198.51.100.4', '198.51.100.4'],
  ['fd00::1', '198.51.100.4', '198.51.100.4'],
  ['127.0.0.1', 'unknown', '127.0.0.1'],
  ['127.0.0.1', '', '127.0.0.1'],
  ['127.0.0.1', '198.51.100.4, evil', '127.0.0.1'],
  ['172.32.0.1', '198.51.100.4', '172.32.0.1'],
  ['8.8.8.8', '198.51.100.4', '8.8.8.8'],
])('a request from %s, forwarded for %s, counts for %s', (peer, forwarded, address) => {
  expect(addressOf(peer, forwarded)).toBe(address)
})

test('without PUBLIC_URL no proxy is trusted', () => {
  expect(addressOf('127.0.0.1', '198.51.100.4', false)).toBe('127.0.0.1')
})

test('every spelling of one IPv6 network is one address', () => {
  fc.assert(
    fc.property(fc.ipV6(), (address) => {
      const spelled = new URL(`http://[${address}]`).hostname.slice(1, -1)
      expect(addressOf(address)).toBe(addressOf(spelled))
      expect(addressOf(address)).toMatch(/^([\da-f]{1,4}:){4}:\/64$|^\d+\.\d+\.\d+\.\d+$/)
    }),
  )
})

test('only an e-mail of the right form is a role and a username', () => {
  for (const role of ['admin', 'broker'] as const)
    expect(fromLoginEmail(loginEmail(role, 'camila'))).toEqual({ role, username: 'camila' })
  expect(fromLoginEmail(' Camila@CORRETOR.local ')).toEqual({ role: 'broker', username: 'camila' })
  for (const email of [
    '',
    'camila',
    '@corretor.local',
    'camila@example.com',
    'camila@corretor.local@admin.local',
    'ca mila@corretor.local',
    `${'x'.repeat(61)}@corretor.local`,
    'camila\0@corretor.local',
  ])
    expect(fromLoginEmail(email)).toBeNull()
  expect(toUsername(' Camila ')).toBe('camila')
  expect(toUsername('camila silva')).toBeNull()
})

table('%i seconds of waiting as text', throttledText, [
  [1, 'Muitas tentativas. Tente de novo em 1 segundo.'],
  [59, 'Muitas tentativas. Tente de novo em 59 segundos.'],
  [60, 'Muitas tentativas. Tente de novo em 1 minuto.'],
  [61, 'Muitas tentativas. Tente de novo em 2 minutos.'],
  [300, 'Muitas tentativas. Tente de novo em 5 minutos.'],
])
