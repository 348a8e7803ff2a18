// Mails of portals, site forms, people and machines: the lead in each, mails that are no lead, and no mail breaks the
// reader.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readMime, withMime } from '#server/leads/intake/mail/mime.ts'
import { UnreadableLead, type NewLead } from '#server/leads/intake/new-lead.ts'
import { readBody } from '#server/leads/intake/sources.ts'
import { startCpuTimer } from '#tests/support/cpu-time.ts'
import { byTier } from '#tests/support/runner/tier.ts'

const NOW = Date.parse('2026-11-28T12:00:00Z')
const PHONE = '(11) 95550-0142'
const MARINA = { name: 'Marina Tavares', number: '5511955500142', email: 'marina@example.com' }

const eml = (headers: Record<string, string>, body: string) =>
  [
    ...Object.entries({
      To: 'contato@agencia.example',
      'Content-Type': 'text/plain; charset=utf-8',
      ...headers,
    }).map(([name, value]) => `${name}: ${value}`),
    '',
    ...body.split('\n'),
  ].join('\r\n')
const html = (headers: Record<string, string>, body: string) =>
  eml({ 'Content-Type': 'text/html; charset=utf-8', ...headers }, `<html><body>${body}</body></html>`)

async function read(mail: string | Uint8Array): Promise<NewLead | UnreadableLead> {
  const stored = JSON.parse(JSON.stringify({ mail: await readMime(Buffer.from(mail)) })) as unknown
  try {
    const [lead] = readBody({ kind: 'email', settings: {} }, stored, NOW)
    return lead ?? new UnreadableLead('', 'nothing')
  } catch (error) {
    if (error instanceof UnreadableLead) return error
    throw error
  }
}

const PORTAL = { From: 'ZAP <leads@zap.example>', Subject: 'Novo contato AP10' }
const rows = (cells: readonly (readonly [string, string])[]) =>
  `<table>${cells.map(([label, value]) => `<tr><td><b>${label}</b></td><td>${value}</td></tr>`).join('')}</table>`
const CELLS = [
  ['Nome do interessado', 'Marina&nbsp;Tavares'],
  ['Fone / WhatsApp', `<a href="tel:+5511955500142">${PHONE}</a>`],
  ['Seu e-mail', '<a href="mailto:marina@example.com">marina@example.com</a>'],
  ['Código do anúncio', 'AP10'],
  ['Mensagem', 'Ainda tem?<br>Obrigada'],
] as const
const LABELLED = `Nome: Marina Tavares\nTelefone: ${PHONE}\nE-mail: marina@example.com\nCódigo do imóvel: AP10\nMensagem: Ainda tem?\nObrigada`

const LEADS: Record<string, readonly [string | Uint8Array, object]> = {
  'a table of HTML, sent as bulk': [
    html(
      { ...PORTAL, 'List-Unsubscribe': '<mailto:x@zap.example>', Precedence: 'bulk' },
      `${rows(CELLS)}<p>Central do anunciante: (11) 3003-0000</p>`,
    ),
    { ...MARINA, listing: 'AP10', message: 'Ainda tem?\nObrigada', source: 'ZAP Imóveis' },
  ],
  'HTML beside a text that says nothing': [
    eml(
      { ...PORTAL, 'Content-Type': 'multipart/alternative; boundary=b' },
      `--b\nContent-Type: text/plain\n\nAbra no navegador.\n--b\nContent-Type: text/html\n\n${rows(CELLS)}\n--b--`,
    ),
    { ...MARINA, listing: 'AP10' },
  ],
  'links behind pictures': [
    html(
      PORTAL,
      '<table><tr><td>Marina Tavares</td></tr><tr><td><a href="https://wa.me/5511955500142?text=Oi"><img alt="x"></a></td><td><a href="mailto:marina@example.com?subject=x"><img></a></td></tr></table><p>Consulta:<br>Ainda tem?</p>',
    ),
    { ...MARINA, message: 'Ainda tem?', listing: 'AP10' },
  ],
  'prose with a number': [
    html(
      {
        From: 'Viva Real <contato@vivareal.example>',
        'Reply-To': 'marina@example.com',
        Subject: 'Novo interessado',
      },
      `<p><b>Marina Tavares</b> quer falar com você sobre o imóvel <b>AP10</b>.</p><p>WhatsApp: ${PHONE}</p><p>"Ainda está disponível?"</p>`,
    ),
    { ...MARINA, listing: 'AP10', message: 'Ainda está disponível?', source: 'Viva Real' },
  ],
  'dots after the labels, two phones': [
    eml(
      PORTAL,
      `Anunciante: Agência, (11) 3070-0001\n\nNome............: Marina Tavares\nTelefone fixo...: (11) 3070-0110\nCelular/WhatsApp: ${PHONE}\nE-mail..........: marina@example.com\n\nIMÓVEL\nCódigo..........: AP10\n\nMENSAGEM\nAinda tem?\n\nDúvidas: 0800 591 0000`,
    ),
    { ...MARINA, listing: 'AP10', message: 'Ainda tem?' },
  ],
  'names and values of an old script': [
    eml(
      { From: 'Marina Tavares <marina@example.com>', Subject: 'Visita' },
      'nome=Marina Tavares\nfone=11955500142\nimovel=AP10\ntexto=Ainda tem?',
    ),
    { ...MARINA, listing: 'AP10', message: 'Ainda tem?', source: 'site' },
  ],
  'a site’s form with “De:”': [
    eml(
      { From: 'Site <wordpress@agencia.example>', Subject: 'Contato' },
      `De: Marina Tavares <marina@example.com>\nAssunto: Cobertura AP10\nMensagem: Meu WhatsApp é ${PHONE}, pode chamar.`,
    ),
    { ...MARINA, listing: 'AP10', source: 'site' },
  ],
  'a colleague’s forward in the text': [
    eml(
      { From: 'Hugo <hugo@agencia.example>', Subject: 'Fwd: Novo contato' },
      `Pode atender?\n\n---------- Forwarded message ---------\nDe: ZAP Imóveis <leads@zap.example>\nDate: qui\nTo: <hugo@agencia.example>\n\n${LABELLED}\n\n-- \nHugo Gerente\n(11) 95550-0199`,
    ),
    { ...MARINA, listing: 'AP10', source: 'ZAP Imóveis' },
  ],
  'a colleague’s forward as a file': [
    eml(
      { From: 'Hugo <hugo@agencia.example>', Subject: 'ENC', 'Content-Type': 'multipart/mixed; boundary=b' },
      `--b\nContent-Type: text/plain\n\nSegue.\nHugo (11) 95550-0199\n--b\nContent-Type: message/rfc822\n\nFrom: OLX <x@olx.example>\nSubject: Contato\nContent-Type: text/plain; charset=utf-8\n\n${LABELLED}\n--b--`,
    ),
    { ...MARINA, listing: 'AP10', source: 'OLX' },
  ],
  'another charset than it names': [
    Buffer.from(
      eml(PORTAL, `Nome: João Conceição\nTelefone: ${PHONE}\nMensagem: “Está disponível?”`),
      'latin1',
    ),
    { name: 'João Conceição', number: '5511955500142' },
  ],
  'a person’s own words': [
    eml(
      { From: 'Marina Tavares <marina@example.com>', Subject: 'apartamento' },
      'Vi a placa do AP10 e queria saber o preço.\n\nMarina Tavares\n11 95550 0142\nEnviado do meu iPhone',
    ),
    { ...MARINA, listing: 'AP10', message: 'Vi a placa do AP10 e queria saber o preço.', source: 'email' },
  ],
}

test.each(Object.entries(LEADS))('%s', async (_, [mail, wanted]) => {
  const lead = await read(mail)
  expect(lead).toMatchObject(wanted)
  // The whole text stays with the lead, whatever was recognised.
  expect((lead as NewLead).fields['texto do e-mail']).toMatch(/\S/)
})

test.each([
  [
    'a bounce',
    eml(
      {
        From: 'MAILER-DAEMON@mx.example',
        'Content-Type': 'multipart/report; report-type=delivery-status; boundary=b',
      },
      `--b\nContent-Type: text/plain\n\nFailed.\n--b\nContent-Type: message/rfc822\n\nFrom: a@agencia.example\n\n${LABELLED}\n--b--`,
    ),
    'E-mail devolvido',
  ],
  [
    'an automatic answer',
    eml(
      { From: 'Ana <ana@example.com>', Subject: 'Resposta automática', 'Auto-Submitted': 'auto-replied' },
      `Férias. Urgências: ${PHONE}`,
    ),
    'Resposta automática',
  ],
  [
    'a newsletter',
    html(
      { From: 'Portal <novidades@portal.example>', 'List-Id': 'x', Subject: 'Dicas' },
      `<h1>Novo lead? Responda</h1><p>Fale com seu consultor: ${PHONE} <a href="https://wa.me/5511955500142">aqui</a></p>`,
    ),
    'Aviso sem contato de cliente',
  ],
  [
    'an invitation',
    eml(
      { From: 'Hugo <hugo@agencia.example>', 'Content-Type': 'multipart/alternative; boundary=b' },
      '--b\nContent-Type: text/plain\n\nReunião\n--b\nContent-Type: text/calendar; method=REQUEST\n\nBEGIN:VCALENDAR\nEND:VCALENDAR\n--b--',
    ),
    'Convite de agenda',
  ],
  [
    'a colleague’s own mail',
    eml({ From: 'Hugo <hugo@agencia.example>', Subject: 'oi' }, `Me liga: ${PHONE}`),
    'Mensagem da própria equipe',
  ],
  [
    'a machine’s word of nobody',
    eml({ From: 'Banco <boleto@banco.example>', Subject: 'Fatura' }, 'Sua fatura venceu.'),
    'Aviso sem contato de cliente',
  ],
])('%s is no lead', async (_, mail, summary) => {
  expect(await read(mail)).toMatchObject({ summary, isNoLead: true })
})

test('a portal’s report with its own numbers waits for a person', async () => {
  const mail = eml(
    { From: 'Portal <leads@portal.example>', Subject: '12 contatos' },
    `Contatos por telefone: 7\nSeu telefone nos anúncios: ${PHONE}`,
  )
  expect(await read(mail)).toMatchObject({
    summary: 'E-mail sem contato de cliente reconhecido',
    isNoLead: false,
  })
})

test('two texts with one Message-ID are two, the same mail is one', async () => {
  const mail = (text: string) => eml({ ...PORTAL, 'Message-ID': '<1@zap>' }, text)
  const id = async (text: string) => ((await read(mail(text))) as NewLead).externalId
  expect(await id(LABELLED)).toBe(await id(LABELLED))
  expect(await id(LABELLED)).not.toBe(await id(`${LABELLED}!`))
})

describe('inbound mail services', () => {
  const text = LABELLED
  test.each<[string, object]>([
    [
      'Postmark',
      {
        From: 'leads@zap.example',
        FromName: 'ZAP',
        Subject: 's',
        TextBody: text,
        HtmlBody: '',
        MessageID: 'm',
        Headers: [],
      },
    ],
    [
      'Mailgun',
      {
        from: 'ZAP <leads@zap.example>',
        recipient: 'x@agencia.example',
        subject: 's',
        'body-plain': text,
        'message-headers': '[["Message-Id", "m"]]',
      },
    ],
    [
      'SendGrid',
      {
        from: 'ZAP <leads@zap.example>',
        to: 'x@agencia.example',
        subject: 's',
        text,
        headers: 'Message-ID: m',
        charsets: '{}',
        SPF: 'pass',
      },
    ],
    [
      'CloudMailin',
      {
        envelope: { to: 'x@agencia.example', from: 'leads@zap.example' },
        headers: { from: 'ZAP <leads@zap.example>', subject: 's', message_id: 'm' },
        plain: text,
        html: '',
      },
    ],
    [
      'CloudMailin, in parts',
      {
        'envelope[to]': 'x@agencia.example',
        'headers[from]': 'ZAP <leads@zap.example>',
        'headers[subject]': 's',
        'headers[message_id]': 'm',
        plain: text,
      },
    ],
  ])('%s, with the key of an e-mail or of a form', (_, body) => {
    for (const kind of ['email', 'form'] as const)
      expect(readBody({ kind, settings: {} }, body, NOW)).toMatchObject([
        { ...MARINA, listing: 'AP10', externalId: 'm' },
      ])
  })

  test.each(['email', 'body-mime', 'RawEmail'])('the original mail, in “%s”', async (name) => {
    const body = await withMime({ [name]: eml(PORTAL, LABELLED), from: 'x@y.example' })
    expect(readBody({ kind: 'email', settings: {} }, body, NOW)).toMatchObject([MARINA])
  })
})

test('any bytes, and any change to a mail, quickly give a lead or a reason', async () => {
  let made = 0
  const samples = Object.values(LEADS).map(([mail]) => Buffer.from(mail))
  const bits = fc.constantFrom(
    'Nome:',
    'Telefone',
    '<td>',
    '<a href="tel:',
    '\r\n',
    '--b',
    '=?UTF-8?Q?=',
    '\u0000',
    '> ',
    'De:',
    '@',
    '9'.repeat(300),
    '('.repeat(500),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...samples),
      fc.array(fc.tuple(fc.nat(1_500), fc.oneof(bits, fc.string({ unit: 'binary', maxLength: 40 }))), {
        maxLength: 8,
      }),
      async (sample, changes) => {
        let text = sample.toString('latin1')
        for (const [at, part] of changes) text = text.slice(0, at) + part + text.slice(at + part.length)
        const lead = await read(Buffer.from(text, 'latin1'))
        if (!(lead instanceof UnreadableLead)) {
          made += 1
          expect(lead.number ?? lead.email).not.toBeNull()
        }
      },
    ),
    { numRuns: byTier(20, 60) },
  )
  expect(made).toBeGreaterThan(0)
}, 60_000)

test.each([
  ['lines of labels', 'Nome:\n'.repeat(10_000)],
  ['one long line', `Nome: ${'a@'.repeat(30_000)}`],
  ['stars', `a${' *'.repeat(30_000)}`],
  ['digits', '1 '.repeat(30_000)],
  ['names', 'Ana '.repeat(15_000)],
])('%s is handled quickly', async (_, body) => {
  const cpuMs = startCpuTimer()
  await read(eml(PORTAL, body))
  await read(html(PORTAL, body))
  expect(cpuMs()).toBeLessThan(5_000)
})
