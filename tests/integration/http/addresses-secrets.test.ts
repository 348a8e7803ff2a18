// No answer of any address and no log line contains a secret of the portal, for every caller and request.
import { beforeAll, afterAll, expect, test } from 'vitest'
import { createMetaSecretBox } from '#server/leads/intake/meta/secrets.ts'
import { createSecretBox } from '#server/secret-box.ts'
import { mintWebhookSecret } from '#server/whatsapp/webhook/secret.ts'
import { addressOf, ADDRESSES } from '#tests/support/addresses.ts'
import { METRICS_TOKEN, openAddresses, type AddressesScenario } from '#tests/support/addresses-scenario.ts'
import { JWT_SECRET, PASSWORD } from '#tests/support/whatsapp.ts'

const META = {
  appSecret: 'segredo-do-app-da-meta',
  verifyToken: 'verificador-da-meta',
  pageToken: 'token-da-pagina',
}
const META_KEY = '00000000-0000-4000-8000-00000000000a'
const MAILBOX_KEY = '00000000-0000-4000-8000-00000000000b'
const MAILBOX = 'senha-da-caixa-de-e-mails'

let portal: AddressesScenario
let secrets: Record<string, string>
beforeAll(async () => {
  portal = await openAddresses()
  const { db, scenario } = portal
  await db.query(
    `insert into portal.intake_keys (id, kind, name, hash, secrets, per_minute, created_by, created_at)
    values ($1, 'meta', 'Meta', '\\x00', $2, 60, 'chefe', now())`,
    [META_KEY, JSON.stringify(createMetaSecretBox(JWT_SECRET).encrypt(META))],
  )
  await setMailbox()
  const { rows } = await db.query<{
    sealedVapid: string
    bcrypt: string
    sealed: string
    sealedMailbox: string
  }>(
    `select (select private_key from portal.push_keys) as "sealedVapid",
      (select password_hash from portal.accounts where id = $1) as bcrypt,
      (select secrets ->> 'sealed' from portal.intake_keys where id = $2) as sealed,
      (select sealed from portal.mailboxes) as "sealedMailbox"`,
    [scenario.own.id, META_KEY],
  )
  const vapid = createSecretBox(JWT_SECRET, 'portal key of pushes').decrypt(
    Buffer.from(rows[0]?.sealedVapid ?? '', 'base64url'),
  )
  secrets = {
    ...META,
    ...rows[0],
    mailbox: MAILBOX,
    vapid: Buffer.from(vapid ?? '').toString(),
    jwt: JWT_SECRET,
    metrics: METRICS_TOKEN,
    password: PASSWORD,
    webhook: await mintWebhookSecret(db.query, scenario.own.instanceName),
    calendar: await portal
      .knock({
        method: 'POST',
        address: '/rest/v1/rpc/calendar_renew',
        token: portal.tokens.broker,
        body: JSON.stringify({ p_broker_name: scenario.own.instanceName }),
      })
      .then((answer) => answer.json() as Promise<string>),
    feedOut: await portal
      .knock({
        method: 'POST',
        address: '/api/developments/pages/out',
        token: portal.tokens.admin,
        body: JSON.stringify({ email: 'feed@example.com', state: 'SP' }),
      })
      .then((answer) => answer.json() as Promise<{ url: string }>)
      .then(({ url }) => /[0-9a-f]{64}/.exec(url)?.[0] ?? ''),
  }
})
afterAll(() => portal.close())

/** An e-mail source whose server is unreachable, so its poll fails. */
async function setMailbox() {
  await portal.db.query(
    `insert into portal.intake_keys (id, kind, name, hash, per_minute, created_by, created_at)
    values ($1, 'email', 'Caixa', '\\x01', 60, 'chefe', now())`,
    [MAILBOX_KEY],
  )
  const box = { host: '127.0.0.1', port: 1, username: 'leads@example.com', isOn: true, password: MAILBOX }
  const answer = await portal.knock({
    method: 'PUT',
    address: `/api/leads/mailboxes/${MAILBOX_KEY}`,
    token: portal.tokens.admin,
    body: JSON.stringify(box),
  })
  expect(answer.status).toBe(200)
}

/** All addresses as a stranger, a broker and an administrator; then the secrets, in the right places and in others. */
function* knocks() {
  const { scenario, tokens } = portal
  const side = scenario.own
  for (const [name, entry] of Object.entries(ADDRESSES))
    for (const token of [undefined, tokens.broker, tokens.admin]) {
      const body = entry.body?.(side, scenario)
      yield {
        method: name.split(' ')[0] ?? '',
        address: addressOf(name, entry, { side, scenario }),
        token,
        body: body === undefined ? null : JSON.stringify(body),
      }
    }
  const { webhook = '', calendar = '', feedOut = '', verifyToken = '', metrics = '' } = secrets
  const post = (address: string, body: string) => ({ method: 'POST', address, body })
  yield post(`/webhook/${side.instanceName}/${webhook}`, '{"event":"messages.upsert"}')
  yield post(`/webhook/${side.instanceName}/${webhook}`, 'nada')
  yield post(`/webhook/${side.instanceName}/${webhook}/a/b`, '{}')
  yield post(`/webhook/${side.instanceName}/${webhook}%00`, '{}')
  for (const end of ['.ics', '.ics%00', '.ics/x', '.ICS'])
    yield { method: 'GET', address: `/api/calendar/${calendar}${end}` }
  for (const end of ['.xml', '.xml%00', '.xml/x', '.XML'])
    yield { method: 'GET', address: `/api/feeds/${feedOut}${end}` }
  yield post(`/api/leads?key=${webhook}`, '{}')
  yield post(`/api/leads/meta/${META_KEY}`, '{}')
  const mailbox = `/api/leads/mailboxes/${MAILBOX_KEY}`
  yield { method: 'GET', address: mailbox, token: tokens.admin }
  for (const part of [{ host: 'a b' }, { port: 0 }, { host: 'imap.example' }, { username: 'x' }])
    yield {
      method: 'PUT',
      address: mailbox,
      token: tokens.admin,
      body: JSON.stringify({
        host: '127.0.0.1',
        port: 1,
        username: 'leads@example.com',
        isOn: true,
        ...part,
        password: MAILBOX,
      }),
    }
  yield post(
    '/auth/v1/token?grant_type=password',
    JSON.stringify({ email: `${side.username}x@corretor.local`, password: PASSWORD }),
  )
  yield {
    method: 'GET',
    address: `/api/leads/meta/${META_KEY}?hub.mode=subscribe&hub.verify_token=${verifyToken}x`,
  }
  yield { method: 'GET', address: '/metrics', token: metrics }
  yield { method: 'GET', address: `/rest/v1/brokers?select=*`, token: tokens.admin }
  yield { method: 'GET', address: `/rest/v1/push_keys`, token: tokens.admin }
  yield { method: 'GET', address: `/rest/v1/x?apikey=${webhook}`, token: JWT_SECRET }
}

test('no answer and no log line contains a secret', async () => {
  const said: string[] = []
  for (const knock of knocks()) {
    // Ending the caller's session would leave the rest to strangers.
    if (/logout/.test(knock.address)) continue
    const answer = await portal.knock(knock)
    if (answer.headers.get('content-type')?.includes('event-stream')) await answer.body?.cancel()
    else said.push(await answer.text())
  }
  expect(said.length).toBeGreaterThan(200)
  expect(portal.lines.length).toBeGreaterThan(200)
  for (const [name, secret] of Object.entries(secrets)) {
    expect(secret.length).toBeGreaterThan(10)
    expect([name, [...said, ...portal.lines].filter((text) => text.includes(secret))]).toEqual([name, []])
  }
})
