// Mailboxes at a real server: each mail comes in once, despite failures between portal and server, and nothing is
// deleted.
import { randomUUID } from 'node:crypto'
import { createServer, type Server, type Socket } from 'node:net'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { MAILBOX_PASSWORD } from '#server/leads/leads.ts'
import { LIMITS, lookInto, type Taken } from '#server/leads/intake/mailbox/round.ts'
import { createMailboxStore } from '#server/leads/intake/mailbox/store.ts'
import { createMailboxWorker } from '#server/leads/intake/mailbox/worker.ts'
import { createRawMaker } from '#server/leads/intake/raw/maker.ts'
import { createRawStore } from '#server/leads/intake/raw/store.ts'
import { createSecretBox } from '#server/secret-box.ts'
import { databaseClock } from '#tests/support/clock.ts'
import { openBase } from '#tests/support/database.ts'
import { LOGIN, startDovecot } from '#tests/support/dovecot.ts'
import { silentLog } from '#tests/support/gateway.ts'

const server = await startDovecot()
const here = server === null ? describe.skip : describe
const HOST = '127.0.0.1'
const privateHosts = [HOST]
const clock = databaseClock()
const passwords = createSecretBox('a secret of the tests', MAILBOX_PASSWORD)

let keyId: string
const base = await openBase()
afterAll(() => server?.close())
beforeEach(async () => {
  keyId = randomUUID()
  await base.db.query(
    `insert into portal.intake_keys (id, kind, name, hash, per_minute, created_by, created_at)
     values ($1, 'email', 'Caixa', $2, 6000, 'portal', now())`,
    [keyId, Buffer.from(keyId)],
  )
})
afterEach(() =>
  base.db.exec(
    'delete from public.whatsapp_contacts; delete from portal.intake_keys; delete from portal.people',
  ),
)

async function setBox(part: { port: number; password?: string }) {
  const sealed = Buffer.from(passwords.encrypt(Buffer.from(part.password ?? LOGIN.password))).toString(
    'base64url',
  )
  await base.db.query(
    `insert into portal.mailboxes (key_id, host, port, username, folder, sealed, is_on, next_at, changed_at)
     values ($1, $2, $3, $4, 'INBOX', $5, true, now() - interval '1 day', now())`,
    [keyId, HOST, part.port, LOGIN.username, sealed],
  )
}
const store = () => createMailboxStore(base.db, passwords)
const box = async () =>
  (
    await base.db.query<{ fault: string | null; next_at: string | null; last_uid: number }>(
      'select fault, next_at, last_uid from portal.mailboxes where key_id = $1',
      [keyId],
    )
  ).rows[0]
const names = async () =>
  (await base.db.query<{ name: string }>('select name from public.whatsapp_contacts order by name')).rows.map(
    ({ name }) => name,
  )
const count = async (table: string) =>
  (await base.db.query<{ count: number }>(`select count(*)::integer as count from ${table}`)).rows[0]?.count

/** One poll, as every minute, and the leads from it. `onMail`: a mail was stored, and is not marked yet. */
async function look(limits = LIMITS, onMail: () => void = () => undefined) {
  const { keep, ...rest } = store()
  const keepThen = async (...asked: Parameters<typeof keep>) => {
    const isNew = await keep(...asked)
    onMail()
    return isNew
  }
  await base.db.query('update portal.mailboxes set next_at = $1 where next_at is not null', [
    new Date(clock.now()).toISOString(),
  ])
  const worker = createMailboxWorker({
    clock,
    log: silentLog,
    store: { ...rest, keep: keepThen },
    privateHosts,
    onKept: () => undefined,
    limits,
  })
  const stop = worker.start()
  await worker.settled()
  await stop()
  const maker = createRawMaker({
    clock,
    log: silentLog,
    store: createRawStore(base.db),
    onTaken: () => undefined,
  })
  const end = maker.start()
  await maker.settled()
  await end()
}

let phone = 11_955_500_200
const mail = (name: string, more = '') =>
  [
    'From: ZAP <leads@zap.example>',
    'To: leads@example.com',
    'Subject: Novo contato',
    'Date: Tue, 24 Nov 2026 10:15:00 -0300',
    `Message-ID: <${name}@zap.example>`,
    'Content-Type: text/plain; charset=utf-8',
    '',
    `Nome: ${name}`,
    `Telefone: ${phone++}`,
    `Mensagem: Ainda tem?${more}`,
    '',
  ].join('\r\n')

here('a mailbox of Dovecot', () => {
  const dovecot = server!
  const clear = () => dovecot.doveadm(['expunge', '-u', LOGIN.username, 'mailbox', 'INBOX', 'all'])
  afterEach(clear)

  test('earlier mails are no leads; a new one is a lead, once, and stays there, read', async () => {
    await setBox(dovecot)
    await dovecot.deliver(mail('Antiga'))
    await look()
    expect(await names()).toEqual([])
    await dovecot.deliver(mail('Ana'))
    await dovecot.deliver(mail('Bia'))
    await look()
    await look()
    expect(await names()).toEqual(['Ana', 'Bia'])
    expect(await dovecot.counts()).toEqual({ all: 3, seen: 2 })
    expect(await box()).toMatchObject({ fault: null })
  })

  test('read by a person first, moved out and back, delivered twice, two texts with one id: each text once', async () => {
    await setBox(dovecot)
    await look()
    const ana = mail('Ana')
    await dovecot.deliver(ana)
    await dovecot.doveadm([
      'flags',
      'add',
      '-u',
      LOGIN.username,
      String.raw`\Seen`,
      'mailbox',
      'INBOX',
      'all',
    ])
    await look()
    await dovecot.doveadm(['mailbox', 'create', '-u', LOGIN.username, 'Fora']).catch(() => '')
    await dovecot.doveadm(['move', '-u', LOGIN.username, 'Fora', 'mailbox', 'INBOX', 'all'])
    await dovecot.doveadm(['move', '-u', LOGIN.username, 'INBOX', 'mailbox', 'Fora', 'all'])
    await dovecot.deliver(ana)
    await dovecot.deliver(mail('Bia').replace('<Bia@', '<Ana@'))
    await look()
    expect(await names()).toEqual(['Ana', 'Bia'])
    expect(await count('portal.lead_intakes')).toBe(2)
  })

  test('after the folder is recreated its mails are recognised, and those older than the source stay no leads', async () => {
    await dovecot.deliver(mail('Antiga'))
    await dovecot.age()
    await setBox(dovecot)
    await look()
    await dovecot.deliver(mail('Ana'))
    await look()
    await dovecot.renumber()
    await dovecot.deliver(mail('Bia'))
    await look()
    await look()
    expect(await names()).toEqual(['Ana', 'Bia'])
    expect(await count('portal.lead_intakes')).toBe(2)
  })

  test('the server dies and comes back: nothing is lost or repeated', async () => {
    await setBox(dovecot)
    await look()
    const wanted: string[] = []
    for (let round = 0; round < 4; round++) {
      const some = Array.from({ length: 5 }, (_, at) => `Lia ${round}${at}`)
      for (const name of some) await dovecot.deliver(mail(name))
      wanted.push(...some)
      let dying: Promise<void> | null = null
      let stored = 0
      await look(LIMITS, () => {
        if (++stored === round) dying = dovecot.stop()
      })
      await (dying ?? dovecot.stop())
      await dovecot.start()
    }
    await look()
    await look()
    expect(await names()).toEqual(wanted.toSorted())
    expect(await count('portal.lead_intakes')).toBe(wanted.length)
  })

  test('the portal ends between storing a mail and marking it, and before', async () => {
    await setBox(dovecot)
    await look()
    for (const name of ['Ana', 'Bia', 'Caio']) await dovecot.deliver(mail(name))
    for (const isStored of [true, false]) {
      const due = await store().due(clock.now() + 86_400_000, clock.now())
      const keep = async (taken: Taken) => {
        if (isStored) await store().keep(keyId, taken, clock.now())
        throw new Error('kill -9')
      }
      await expect(
        lookInto({ ...due! }, { begin: () => Promise.resolve(null), keep }, { privateHosts }),
      ).rejects.toMatchObject({ fault: 'connection' })
    }
    await look()
    expect(await names()).toEqual(['Ana', 'Bia', 'Caio'])
    expect(await count('portal.lead_intakes')).toBe(3)
  })

  test('a wrong password stops it until a person corrects it', async () => {
    await setBox({ ...dovecot, password: 'errada' })
    await look()
    expect(await box()).toMatchObject({ fault: 'password', next_at: null })
  })

  test("mails beyond one poll's limit come in later polls; a large one is truncated, a bounce is ignored", async () => {
    await setBox(dovecot)
    await look()
    for (let at = 0; at < 7; at++) await dovecot.deliver(mail(`Lia ${at}`))
    await dovecot.deliver(mail('Grande', `\r\n\r\n${'x'.repeat(70)}\r\n`.repeat(8_000)))
    await dovecot.deliver(
      'From: MAILER-DAEMON@mx.example\r\nSubject: Undelivered Mail\r\n\r\nNome: Eva\r\nTelefone: 11955500999\r\n',
    )
    await look({ ...LIMITS, mails: 3 })
    expect(await names()).toEqual(['Grande', ...Array.from({ length: 7 }, (_, at) => `Lia ${at}`)])
    expect(await dovecot.counts()).toEqual({ all: 9, seen: 9 })
    expect(
      (await base.db.query('select fault from portal.intake_read where leads = $1', ['[]'])).rows,
    ).toEqual([{ fault: 'E-mail devolvido' }])
  })
})

describe('a server that', () => {
  let scripted: Server
  const sockets = new Set<Socket>()
  afterEach(() => {
    for (const socket of sockets) socket.destroy()
    scripted.close()
  })
  async function serve(talk: (socket: Socket) => void): Promise<number> {
    scripted = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => undefined)
      talk(socket)
    })
    await new Promise<void>((resolve) => scripted.listen(0, HOST, resolve))
    const address = scripted.address()
    return typeof address === 'object' && address !== null ? address.port : 0
  }
  const QUICK = { ...LIMITS, deadlineMs: 1_500, silenceMs: 600 }
  const answering = (answer: (tag: string, command: string) => string) => (socket: Socket) => {
    socket.write('* OK [CAPABILITY IMAP4rev1] oi\r\n')
    socket.on('data', (data) => {
      for (const line of data.toString().split('\r\n').filter(Boolean)) {
        const [tag = '', command = ''] = line.split(' ')
        socket.write(answer(tag, command.toUpperCase()))
      }
    })
  }
  const dripping = (socket: Socket) => {
    answering((tag, command) => {
      if (command !== 'STATUS') return ok(tag)
      setInterval(() => socket.write('*'), 200).unref()
      return ''
    })(socket)
  }
  const ok = (tag: string) => `${tag} OK feito\r\n`

  test.each<[string, (socket: Socket) => void, string]>([
    ['says nothing', () => undefined, 'connection'],
    ['hangs up at once', (socket) => socket.destroy(), 'connection'],
    ['sends a byte now and then', dripping, 'late'],
    [
      'has too many sessions',
      answering((tag, command) =>
        command === 'LOGIN' || command === 'AUTHENTICATE' ? `${tag} NO [LIMIT] mais tarde\r\n` : ok(tag),
      ),
      'connection',
    ],
    [
      'falls silent after the login',
      answering((tag, command) =>
        /LOGIN|AUTHENTICATE|CAPABILITY|ID|NAMESPACE/.test(command) ? ok(tag) : '',
      ),
      'connection',
    ],
  ])('%s is retried later', async (_, talk, fault) => {
    await setBox({ port: await serve(talk) })
    await look(QUICK)
    const after = await box()
    expect([after?.fault === 'late' ? 'late' : 'connection', after?.next_at === null]).toEqual([fault, false])
  })

  test("is in the portal's own network is never contacted", async () => {
    let isAsked = false
    const port = await serve(() => (isAsked = true))
    const own = {
      host: HOST,
      port,
      username: 'a',
      password: 'b',
      folder: 'INBOX',
      uidValidity: null,
      lastUid: 0,
      sinceMs: null,
    }
    const steps = { begin: () => Promise.resolve(null), keep: () => Promise.resolve() }
    for (const host of [HOST, '10.0.0.8', '::1', 'localhost'])
      await expect(lookInto({ ...own, host }, steps, { privateHosts: [] })).rejects.toMatchObject({
        fault: 'address',
      })
    expect(isAsked).toBe(false)
  })
})
