// Codes of authenticator apps compared with RFC 6238, and the storage of their secrets.
import { expect, test } from 'vitest'
import { createRecoveryCodes, hashRecoveryCode } from '#server/auth/factors/recovery-codes.ts'
import { codeAt, keyUri, stepOf, toBase32 } from '#server/auth/factors/totp.ts'
import { table } from '#tests/support/table.ts'

const RFC_SECRET = new TextEncoder().encode('12345678901234567890')

table(
  'the code at second %i is %s, as RFC 6238 says',
  (seconds) => codeAt(RFC_SECRET, Math.floor(seconds / 30)),
  [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ],
)

test('a code is accepted half a minute early or late, and not beyond', () => {
  const taken = [-2, -1, 0, 1, 2].filter(
    (skew) =>
      stepOf(codeAt(RFC_SECRET, 1_000_000 + skew), RFC_SECRET, { ms: 1_000_000 * 30_000, lastStep: 0 }) !==
      null,
  )
  expect(taken).toEqual([-1, 0, 1])
})

test('neither a used code nor an older one is accepted', () => {
  const now = { ms: 1_000_000 * 30_000, lastStep: 1_000_000 }
  expect(stepOf(codeAt(RFC_SECRET, 1_000_000), RFC_SECRET, now)).toBeNull()
  expect(stepOf(codeAt(RFC_SECRET, 999_999), RFC_SECRET, now)).toBeNull()
  expect(stepOf(codeAt(RFC_SECRET, 1_000_001), RFC_SECRET, now)).toBe(1_000_001)
})

test('a code used while the clock ran ahead locks nobody out once it is right', () => {
  const now = { ms: 1_000_000 * 30_000, lastStep: 1_090_000 }
  expect(stepOf(codeAt(RFC_SECRET, 1_000_000), RFC_SECRET, now)).toBe(1_000_000)
})

test('secrets are written in the form that apps read', () => {
  expect(toBase32(RFC_SECRET)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
  expect(keyUri({ secret: 'ABC', username: 'admin', issuer: 'Portal do Corretor' })).toBe(
    'otpauth://totp/Portal%20do%20Corretor:admin?secret=ABC&issuer=Portal%20do%20Corretor&algorithm=SHA1&digits=6&period=30',
  )
})

test('ten different recovery codes, the same for a repeated operation and different for others', () => {
  const codesOf = createRecoveryCodes('one secret of a portal, thirty-two characters')
  const codes = codesOf({ accountId: 'a', operationId: '1' })
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) expect(code).toMatch(/^[a-hjkmnp-z1-9]{4}-[a-hjkmnp-z1-9]{4}-[a-hjkmnp-z1-9]{4}$/)
  expect(codesOf({ accountId: 'a', operationId: '1' })).toEqual(codes)
  for (const other of [
    codesOf({ accountId: 'a', operationId: '2' }),
    codesOf({ accountId: 'b', operationId: '1' }),
    createRecoveryCodes('another secret of a portal, thirty-two chars')({ accountId: 'a', operationId: '1' }),
  ])
    expect(other.filter((code) => codes.includes(code))).toEqual([])
})

test('a recovery code is recognised in every typed form, and nothing else is one', () => {
  const hash = hashRecoveryCode('abcd-efgh-2345')
  expect(hash).toHaveLength(32)
  expect(hashRecoveryCode(' ABCDEFGH 2345 ')).toEqual(hash)
  for (const typed of ['', '123456', 'abcd-efgh-234', 'abcd-efgh-23456', 'abcd-efgh-234o', '0000-0000-0000'])
    expect(hashRecoveryCode(typed)).toBeNull()
})
