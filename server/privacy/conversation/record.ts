// Turns a conversation into lines of text for its PDF: who said what and when, what was edited or deleted, and the
// SHA-256 of each file.
import { displayName } from '#domain/broker.ts'
import { countOf, formatNumber } from '#domain/count.ts'
import { formatSize, formatDuration } from '#domain/format.ts'
import { DELIVERY_LABEL, KIND_LABEL, type Delivery, type MessageKind } from '#domain/message/message.ts'
import { noteWords } from '#domain/message/note-words.ts'
import { DELIVERY_REASON } from '#domain/message/outgoing.ts'
import { formatPhone } from '#domain/phone/phone.ts'
import type { Line } from './pdf.ts'

export type ProofHead = {
  id: number
  name: string | null
  number: string | null
  instanceName: string | null
  agency: string | null
  total: number
  first: Place
  last: Place
}
export type Place = { at: number; id: number }

/** A row of portal.proof_page. */
export type ProofRow = {
  id: number
  at: number
  type: 'incoming' | 'outgoing' | 'note'
  kind: MessageKind
  author: 'human' | 'campaign' | 'agent'
  delivery: Delivery | null
  reason: string | null
  body: string
  content: Readonly<Record<string, unknown>> | null
  quoted: { isOwn?: boolean; kind?: MessageKind; body?: string } | null
  reactions: Partial<Record<'me' | 'contact', { emoji?: string; at?: number }>>
  editedAt: string | null
  deletedAt: string | null
  instanceName: string | null
  transcript: string | null
}

const UNNAMED = 'Sem nome'
const MEDIA: readonly MessageKind[] = ['image', 'video', 'audio', 'document', 'sticker']

export type Transcript = ReturnType<typeof createTranscript>

export function createTranscript(head: ProofHead, timeZone: string) {
  const format = new Intl.DateTimeFormat('pt-BR', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  // '29/11/2026, 09:41:05'
  const moment = (ms: number) => format.format(ms).replace(', ', ' ')
  const name = head.name?.trim() || UNNAMED
  const files: { nth: number; sha256: string | null; words: string }[] = []
  let count = 0

  return {
    title: `Conversa com ${name}`,
    subject: `Lead nº ${head.id}`,
    beginning: (shown: number): Line[] => [
      { style: 'title', text: `Conversa com ${name}` },
      ...[
        head.agency,
        head.number === null ? 'Número oculto pelo WhatsApp' : `Número: ${formatPhone(head.number)}`,
        `Lead nº ${head.id}, ${head.instanceName === null ? 'sem corretor' : `de ${displayName(head.instanceName)}`}`,
        shown < head.total
          ? `As ${formatNumber(shown)} mensagens mais novas de ${formatNumber(head.total)}, de ${moment(head.first.at * 1000)} a ${moment(head.last.at * 1000)}`
          : `Todas as mensagens (${formatNumber(head.total)}), de ${moment(head.first.at * 1000)} a ${moment(head.last.at * 1000)}`,
        `Horários de ${timeZone}. O portal guarda de uma mensagem editada só o último texto, e de uma apagada nenhum.`,
        'SHA-256 identifica um arquivo: quem o tem confere se é o mesmo. □ é um sinal que estas fontes não têm.',
      ]
        .filter((text) => text !== null)
        .map((text): Line => ({ style: 'about', text })),
    ],

    linesOf: (row: ProofRow): Line[] => {
      count += 1
      const said = saidIn(row, { name, moment })
      if (MEDIA.includes(row.kind) && row.content) {
        const sha256 = textIn(row.content, 'mediaId')
        const words = fileWords(row)
        files.push({ nth: count, sha256, words })
        said.unshift({ style: 'about', text: `${words}. ${hashWords(sha256)}` })
      }
      const who = [moment(row.at * 1000), speakerOf(row, name), stateOf(row)].filter((part) => part !== null)
      return [{ style: 'heading', text: `${formatNumber(count)}. ${who.join(' · ')}` }, ...said]
    },

    /** The list of files, for the end. */
    filesList: (): Line[] => [
      {
        style: 'heading',
        text:
          files.length === 0 ? 'Nenhum arquivo nesta conversa.' : `Arquivos (${formatNumber(files.length)})`,
      },
      ...files.map(({ nth, sha256, words }): Line => ({
        style: 'about',
        text: `Mensagem ${formatNumber(nth)}: ${words}. ${hashWords(sha256)}`,
      })),
    ],

    ends: () =>
      `Fim da conversa: ${countOf(count, 'mensagem', 'mensagens')}, ${countOf(files.length, 'arquivo', 'arquivos')}.`,
    count: () => count,
  }
}

type Saying = { name: string; moment: (ms: number) => string }

function speakerOf({ type, author, instanceName }: ProofRow, name: string): string {
  if (type === 'incoming') return name
  if (type === 'note') return 'WhatsApp'
  const broker = instanceName === null ? 'Corretor' : displayName(instanceName)
  return author === 'human'
    ? broker
    : `${author === 'agent' ? 'Assistente' : 'Campanha'}, pelo número de ${broker}`
}

function stateOf({ delivery, reason, kind }: ProofRow): string | null {
  if (delivery === null || kind === 'call') return null
  const why =
    reason !== null && reason in DELIVERY_REASON ? ` (${DELIVERY_REASON[reason as never] as string})` : ''
  return DELIVERY_LABEL[delivery] + why
}

/** The lines of a message below its heading. */
function saidIn(row: ProofRow, { name, moment }: Saying): Line[] {
  const { quoted, body, transcript, reactions, editedAt, deletedAt } = row
  const own = row.instanceName === null ? 'Corretor' : displayName(row.instanceName)
  const at = (iso: string) => moment(Date.parse(iso))
  const reacted = (['contact', 'me'] as const).flatMap((by) => {
    const emoji = reactions[by]?.emoji
    return emoji ? [`Reação de ${by === 'me' ? own : name}: ${emoji}`] : []
  })
  const about = (text: string): Line => ({ style: 'about', text })
  return [
    ...(quoted
      ? [
          about(
            `Em resposta a ${quoted.isOwn === true ? own : name}: “${quoted.body || KIND_LABEL[quoted.kind ?? 'text']}”`,
          ),
        ]
      : []),
    ...[body, ...contentWords(row, { name, own })]
      .filter((text) => text.trim() !== '')
      .map((text): Line => ({ style: 'text', text })),
    ...(transcript === null ? [] : [about(`Transcrição automática: ${transcript}`)]),
    ...reacted.map(about),
    ...(editedAt === null ? [] : [about(`Editada em ${at(editedAt)}; este é o último texto.`)]),
    ...(deletedAt === null ? [] : [about(`Apagada por quem a escreveu, em ${at(deletedAt)}.`)]),
  ]
}

/** Describes the content that is not text: a file, a place, a contact, a call. */
function contentWords({ kind, content }: ProofRow, { name, own }: { name: string; own: string }): string[] {
  if (kind === 'unsupported') return [KIND_LABEL.unsupported]
  if (!content) return []
  switch (kind) {
    case 'note': {
      const note = { name: textIn(content, 'name') ?? '', about: textIn(content, 'text') }
      return [
        noteWords(
          { ...note, isOwn: content['isOwn'] === true, isUndone: content['isUndone'] === true },
          name,
          own,
        ),
      ]
    }
    case 'call': {
      const { seconds } = content
      return typeof seconds === 'number' ? [`Duração: ${formatDuration(seconds)}`] : []
    }
    case 'location': {
      const place = ['name', 'address'].map((part) => textIn(content, part)).filter((part) => part !== null)
      const at = [content['latitude'], content['longitude']].map(Number).join(', ')
      return [`Localização: ${[...place, at].join(' · ')}`]
    }
    case 'contact': {
      const cards: unknown = content['contacts']
      return Array.isArray(cards) ? cards.map(cardWords) : []
    }
    default:
      return []
  }
}

function cardWords(card: unknown): string {
  const { name, phones } = (card ?? {}) as { name?: unknown; phones?: unknown }
  return `Contato: ${[name, ...(Array.isArray(phones) ? (phones as unknown[]) : [])].filter((part) => typeof part === 'string').join(' · ')}`
}

function fileWords({ kind, content }: ProofRow): string {
  const { sizeBytes, seconds } = content ?? {}
  return [
    KIND_LABEL[kind],
    content && textIn(content, 'fileName'),
    content && textIn(content, 'mimeType'),
    typeof seconds === 'number' ? formatDuration(seconds) : null,
    typeof sizeBytes === 'number' ? formatSize(sizeBytes) : null,
  ]
    .filter((part) => part !== null)
    .join(' · ')
}

const hashWords = (sha256: string | null) =>
  sha256 === null ? 'O portal não tem este arquivo.' : `SHA-256 ${sha256}`

function textIn(content: Readonly<Record<string, unknown>>, field: string): string | null {
  const value = content[field]
  return typeof value === 'string' && value !== '' ? value : null
}
