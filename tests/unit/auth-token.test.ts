// Access tokens: valid only if signed by this portal, with its one algorithm, within an hour.
import { createHmac, generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { jwtVerify, SignJWT, UnsecuredJWT } from 'jose'
import { expect, test } from 'vitest'
import { createTokens } from '#server/auth/tokens/token.ts'
import { manualClock } from '#tests/support/clock.ts'

const SECRET = 'a secret of thirty-two characters or more'
const START = Date.parse('2026-11-21T12:00:00Z')
const key = (secret = SECRET) => new TextEncoder().encode(secret)
const signedIn = {
  account: {
    id: '3f0e7a52-2c1f-4f43-9d3a-0a8f3d9c1b11',
    role: 'broker' as const,
    username: 'camila',
    instanceName: 'corretor_camila',
    instanceId: null,
    leadsTeam: false,
    createdAt: '2026-11-01T12:00:00.000Z',
  },
  session: {
    id: '8c2b54f6-7f4a-4f80-8d7b-4c6d1e2f3a22',
    createdAt: '2026-11-20T12:00:00.000Z',
    secondStepAt: null,
    isHalf: false,
  },
  factors: [],
}
const claims = { role: 'authenticated', session_id: signedIn.session.id }
const make = () => {
  const clock = manualClock(START)
  return { clock, tokens: createTokens(SECRET, clock) }
}
/** The portal's own token, except for the test's changes. */
const sign = (change: Record<string, unknown> = {}, header: Record<string, string> = {}, secret = SECRET) =>
  new SignJWT({
    ...claims,
    iss: 'portal-do-corretor',
    aud: 'authenticated',
    sub: signedIn.account.id,
    exp: START / 1000 + 60,
    ...change,
  })
    .setProtectedHeader({ alg: 'HS256', ...header })
    .sign(key(secret))

test('a token is valid for one hour', async () => {
  const { clock, tokens } = make()
  const { accessToken, expiresAtSeconds } = await tokens.sign(signedIn)
  expect(expiresAtSeconds).toBe(START / 1000 + 3600)
  expect(await tokens.verify(accessToken)).toMatchObject({
    ...claims,
    sub: signedIn.account.id,
    email: 'camila@corretor.local',
  })
  clock.advance(3599_000)
  await expect(tokens.verify(accessToken)).resolves.toBeTruthy()
  clock.advance(1000)
  await expect(tokens.verify(accessToken)).rejects.toMatchObject({ name: 'TokenError', kind: 'expired' })
})

test("the test's hand-made token is valid when unchanged", async () => {
  await expect(make().tokens.verify(await sign())).resolves.toMatchObject(claims)
})

test.each<[string, () => Promise<string> | string]>([
  ['another secret', () => sign({}, {}, 'another secret of thirty-two characters')],
  ['another issuer', () => sign({ iss: 'https://x.supabase.co/auth/v1' })],
  ['another audience', () => sign({ aud: 'anon' })],
  ['a privileged role', () => sign({ role: 'service_role' })],
  ['no role', () => sign({ role: undefined })],
  ['no session', () => sign({ session_id: undefined })],
  ['a session that is no id', () => sign({ session_id: "' or true --" })],
  ['no owner', () => sign({ sub: undefined })],
  ['no end', () => sign({ exp: undefined })],
  ['another algorithm of the same secret', () => sign({}, { alg: 'HS512' })],
  [
    'no signature',
    () => new UnsecuredJWT({ ...claims, sub: signedIn.account.id }).setExpirationTime('1h').encode(),
  ],
  ['a public key taken for the secret', () => confuse()],
  ['nothing', () => ''],
  ['words', () => 'a.b.c'],
])('refused: %s', async (_, token) => {
  await expect(make().tokens.verify(await token())).rejects.toMatchObject({
    name: 'TokenError',
    kind: 'invalid',
  })
})

test('every token gets the verdict of a standard library', async () => {
  const { clock, tokens } = make()
  const { accessToken } = await tokens.sign(signedIn)
  const changed = fc.record({
    exp: fc.constantFrom(undefined, START / 1000, START / 1000 + 1, String(START / 1000 + 60), null),
    nbf: fc.constantFrom(undefined, START / 1000, START / 1000 + 1, 'soon'),
    iat: fc.constantFrom(undefined, START / 1000, START / 1000 + 60, 'then'),
    crit: fc.boolean(),
  })
  const altered = fc
    .tuple(fc.nat(accessToken.length - 1), fc.constantFrom('A', 'x', '_', '.', '=', ''))
    .map(([at, letter]) => accessToken.slice(0, at) + letter + accessToken.slice(at + 1))
  const made = changed.map(({ crit, ...times }) => {
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const own = { ...claims, iss: 'portal-do-corretor', aud: 'authenticated', sub: signedIn.account.id }
    const body = `${part({ alg: 'HS256', ...(crit ? { crit: ['exp'] } : {}) })}.${part({ ...own, ...times })}`
    return `${body}.${createHmac('sha256', SECRET).update(body).digest('base64url')}`
  })
  const judged = (verdict: Promise<unknown>) =>
    verdict.then(
      () => true,
      () => false,
    )
  await fc.assert(
    fc.asyncProperty(fc.oneof(altered, made), async (token) => {
      const standard = jwtVerify(token, key(), {
        algorithms: ['HS256'],
        issuer: 'portal-do-corretor',
        audience: 'authenticated',
        requiredClaims: ['exp'],
        currentDate: new Date(clock.now()),
      })
      // Tokens refused by the standard are refused, and so are tokens with characters outside the alphabet.
      const [isTaken, isStandard] = await Promise.all([judged(tokens.verify(token)), judged(standard)])
      expect(isTaken).toBe(isStandard && /^[\w-]+\.[\w-]+\.[\w-]{43}$/.test(token))
    }),
    { numRuns: 500 },
  )
})

test('a payload changed after signing is refused', async () => {
  const { tokens } = make()
  const { accessToken } = await tokens.sign(signedIn)
  // The token is cached by now, which must not help a changed one.
  await expect(tokens.verify(accessToken)).resolves.toBeTruthy()
  const [head, , signature] = accessToken.split('.')
  const forged = Buffer.from(
    JSON.stringify({
      ...claims,
      iss: 'portal-do-corretor',
      aud: 'authenticated',
      sub: signedIn.account.id,
      exp: START,
    }),
  ).toString('base64url')
  await expect(tokens.verify(`${head}.${forged}.${signature}`)).rejects.toMatchObject({ kind: 'invalid' })
})

/** A token that claims RS256 but is signed by HMAC with a public key. */
function confuse() {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const body = `${encode({ alg: 'RS256' })}.${encode({ ...claims, sub: signedIn.account.id, exp: START })}`
  const signature = createHmac('sha256', publicKey.export({ type: 'spki', format: 'pem' })).update(body)
  return `${body}.${signature.digest('base64url')}`
}
