// The PDF of a conversation, read with the programs that other people would use: every text is as it was written, pages
// are numbered, fonts are embedded, and 20,000 messages keep the limits of time and memory.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MediaStore } from '#server/storage/media-store.ts'
import { makeContact, makeMessage } from '#tests/support/make.ts'
import { openOffice } from '#tests/support/office.ts'
import { hasPaperPrograms, readPaper } from '#tests/support/paper.ts'

let office: Awaited<ReturnType<typeof openOffice>>
beforeAll(async () => {
  office = await openOffice({ isStill: true })
})
afterAll(() => office.close())

async function fileOf(contactId: number): Promise<Uint8Array> {
  const answer = await office.asAdmin.request('/api/people/conversation', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ contactId }),
  })
  if (answer.status !== 200) throw new Error(await answer.text())
  return new Uint8Array(await answer.arrayBuffer())
}

/** A text without the line breaks and blanks that the page's layout adds. */
const wordsOf = (text: string) =>
  text
    .replace(/^.*· página \d+$/gm, '')
    .replace(/\s+/g, ' ')
    .trim()

const SECONDS = Date.UTC(2026, 10, 29, 12) / 1000
const SAYINGS: readonly [written: string, read?: string][] = [
  ['Olá! Ação, coração, à vista, avó e avô, pinguim, ÇÃÕÉÍÓÚ, “aspas” – travessão… R$ 850.000,00'],
  // Decomposed accents become composed ones, and a tab becomes a blank.
  ['Sa\u0301bado a\u0300s 10h\tna Vila Oli\u0301mpia', 'Sábado às 10h na Vila Olímpia'],
  ['Combinado 😀👍 🏠🔑 família 👨‍👩‍👧 bandeira 🇧🇷 ok'],
  // Emoji are of one colour, so the characters for a colour are left out.
  ['Amei ❤️ demais 👍🏽', 'Amei ❤ demais 👍'],
  ['Пришлите, пожалуйста, цену · Ευχαριστώ'],
  ['Sinal que falta: 漢', 'Sinal que falta: □'],
  ['linha um\nlinha dois\r\nlinha três', 'linha um linha dois linha três'],
  [`https://exemplo.com.br/${'apartamento-'.repeat(5)}fim`],
]

describe.runIf(hasPaperPrograms)('read with poppler and qpdf', () => {
  let paper: Awaited<ReturnType<typeof readPaper>>
  let storage: MediaStore
  let photo: string
  beforeAll(async () => {
    const { db, ana, portal } = office
    storage = portal.parts.storage
    photo = await storage.put(Buffer.from('a photo'))
    const { id } = await makeContact(db, ana.instanceName, { name: 'Zuleica Prado', number: '5511987654321' })
    const say = (nth: number, columns: Record<string, unknown>) =>
      makeMessage(db, id, { timestamp: SECONDS + nth, instanceName: ana.instanceName, ...columns })
    for (const [nth, [body]] of SAYINGS.entries()) await say(nth, { body })
    const media = { mediaId: photo, mimeType: 'image/jpeg', fileName: 'planta.jpg', sizeBytes: 7 }
    await say(20, { kind: 'image', body: 'A planta', content: JSON.stringify(media) })
    await say(21, { kind: 'audio', body: '', content: JSON.stringify({ ...media, mediaId: null }) })
    await say(22, { body: 'texto novo', edited_at: '2026-11-29T12:05:00Z', type: 'outgoing' })
    await say(23, { body: '', kind: 'deleted', deleted_at: '2026-11-29T23:30:00Z' })
    await say(24, {
      body: 'Sim!',
      quoted: JSON.stringify({ isOwn: true, kind: 'text', body: 'Visita amanhã?' }),
      reactions: JSON.stringify({ me: { emoji: '🎉' } }),
    })
    await say(25, {
      body: 'não foi',
      type: 'outgoing',
      delivery: 'failed',
      delivery_reason: 'not-on-whatsapp',
    })
    paper = await readPaper(await fileOf(id))
  })

  test.each(SAYINGS.map(([written, read = written]) => read))('%s', (read) => {
    // A URL that is longer than a line is broken without a hyphen.
    const text = read.startsWith('https') ? paper.text.replace(/\s+/g, '') : wordsOf(paper.text)
    expect(text).toContain(read.startsWith('https') ? read : wordsOf(read))
  })

  test.each([
    ['the lead, with its number', 'Conversa com Zuleica Prado'],
    ['the number', 'Número: (11) 98765-4321'],
    [
      'how many, and from when to when',
      `Todas as mensagens (${SAYINGS.length + 6}), de 29/11/2026 09:00:00 a 29/11/2026 09:00:25`,
    ],
    ['the zone of its times', 'Horários de America/Sao_Paulo'],
    ['an edit', 'Editada em 29/11/2026 09:05:00; este é o último texto.'],
    ['a deletion, on its day in the zone', 'Apagada por quem a escreveu, em 29/11/2026 20:30:00.'],
    ['a quote', 'Visita amanhã?'],
    ['a reaction', ': 🎉'],
    ['why a message failed', 'não foi enviada (Este número não tem WhatsApp.)'],
    ['a file that the portal lacks', 'O portal não tem este arquivo.'],
    ['the list of files', 'Arquivos (2)'],
    ['its end', `Fim da conversa: ${SAYINGS.length + 6} mensagens, 2 arquivos. Este arquivo tem 1 página.`],
  ])('it says %s', (_, words) => {
    expect(wordsOf(paper.text)).toContain(words)
  })

  test('each file has the SHA-256 of its bytes, at its message and in the list', () => {
    expect(wordsOf(paper.text).split(`planta.jpg · image/jpeg · 7 B. SHA-256 ${photo}`)).toHaveLength(3)
  })

  test('the file is sound, its fonts are embedded with a map to text, its date is the last message’s', () => {
    expect(paper.check).toContain('No syntax or stream encoding errors found')
    expect(paper.fonts.length).toBeGreaterThan(1)
    for (const line of paper.fonts) expect(line).toMatch(/ yes yes yes /)
    expect(paper.info).toMatch(/CreationDate:\s+Sun Nov 29 12:00:25 2026/)
  })

  test('many pages: each has its number, none is added by its foot, and the last says how many', async () => {
    const { db, ana } = office
    const { id } = await makeContact(db, ana.instanceName)
    await db.query(
      `insert into public.whatsapp_messages (contact_id, "instanceName", message_id, body, "timestamp", type)
      select $1, $2, 'many-' || n, repeat('Uma frase comum, de tamanho comum. ', 1 + n % 40) || n, $3 + n, 'incoming'
      from generate_series(1, 700) n`,
      [id, ana.instanceName, SECONDS],
    )
    const { text, pages } = await readPaper(await fileOf(id))
    const feet = [...text.matchAll(/· página (\d+)$/gm)].map(([, n]) => Number(n))
    expect(feet).toEqual(Array.from({ length: pages }, (_, at) => at + 1))
    expect(pages).toBeGreaterThan(30)
    expect(wordsOf(text)).toContain(
      `Fim da conversa: 700 mensagens, 0 arquivos. Este arquivo tem ${pages} páginas.`,
    )
    for (const n of [1, 350, 700]) expect(text).toMatch(new RegExp(`comum\\. ${n}$`, 'm'))
  })

  test('of 20,500 messages the newest 20,000, said so, in little memory', async () => {
    const { db, ana } = office
    const { id } = await makeContact(db, ana.instanceName)
    await db.query(
      `insert into public.whatsapp_messages (contact_id, "instanceName", message_id, body, "timestamp", type)
      select $1, $2, 'huge-' || n, 'Mensagem de número ' || n || ' 😀', $3 + n, 'incoming'
      from generate_series(1, 20500) n`,
      [id, ana.instanceName, SECONDS],
    )
    const before = process.memoryUsage().rss
    const bytes = await fileOf(id)
    expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1024 * 1024)
    expect(bytes.length).toBeLessThan(4_000_000)
    const { text } = await readPaper(bytes)
    expect(wordsOf(text)).toContain('As 20.000 mensagens mais novas de 20.500')
    expect(text).not.toMatch(/número 500 /)
    expect(text).toMatch(/número 501 /)
    expect(text).toMatch(/número 20500 /)
  }, 300_000)
})
