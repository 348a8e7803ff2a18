// The content of a bubble, by kind and delivery state.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import type { Message, Note } from '#domain/message/message.ts'
import { MessageBubble } from '#features/conversation/message/message-bubble.tsx'
import { Author, Phone } from '#features/conversation/ground/reader.ts'
import { VoicePlace } from '#features/conversation/voice/voice-place.tsx'
import { mediaOf, message } from '#tests/support/make-app.ts'

function markup(part: Partial<Message>, day: string | null = null, author = 'Você') {
  const shown = message(part)
  return renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <Author value={author}>
        <VoicePlace messages={[shown]}>
          <Phone value="5511955500187">
            <MessageBubble
              grouped={{ message: shown, day, isSameSide: false }}
              name="Rogério"
              contactId={7}
              isTabStop={false}
              onMenu={() => undefined}
              onQuote={() => undefined}
            />
          </Phone>
        </VoicePlace>
      </Author>
    </QueryClientProvider>,
  )
}

const media = mediaOf({ mimeType: 'image/jpeg', sizeBytes: 430_000, width: 1200, height: 800 })

const note = (part: Partial<Note>) =>
  ({ kind: 'note', note: { name: '', isOwn: false, isUndone: false, about: null, ...part } }) as const

it('offers no button to return an answered call', () => {
  const call = { isAnswered: true, isVideo: false, seconds: 245 }
  const html = markup({ content: { kind: 'call', call } })
  expect(html).toContain('Ligação · 4 min · <time>')
  expect(html).not.toContain('tel:')
})

it('marks an assistant’s text, also for screen readers', () => {
  const own = { direction: 'outgoing', delivery: 'read' } as const
  expect(markup({ ...own, body: 'Oi' })).not.toContain('Assistente')
  const html = markup({ ...own, body: 'Oi', byAssistant: true })
  expect(html).toMatch(/<span class="sr-only">Assistente, /)
  expect(html).toMatch(/aria-hidden="true"[^>]*><svg.*<\/svg>Assistente<\/span>/)
  expect(html).not.toContain('Você')
})

it('shows text as text, and links without access to this window', () => {
  const html = markup({ body: '<img src=x onerror=alert(1)> veja https://exemplo.com.' })
  expect(html).toContain('&lt;img src=x onerror=alert(1)&gt; veja ')
  expect(html).toContain('href="https://exemplo.com" target="_blank" rel="noopener noreferrer nofollow"')
})

it.each<[string, Partial<Message>, string[]]>([
  ['image', { content: { kind: 'image', media }, body: 'Fachada' }, ['Ver foto', '420 KB', 'Fachada']],
  [
    'voice',
    { content: { kind: 'audio', media: { ...media, isVoice: true, seconds: 37 } } },
    ['Mensagem de voz', '0:37'],
  ],
  ['audio', { content: { kind: 'audio', media } }, ['Áudio']],
  [
    'video',
    { content: { kind: 'video', media: { ...media, isViewOnce: true } } },
    ['Ver vídeo', 'Visualização única'],
  ],
  [
    'document',
    { content: { kind: 'document', media: { ...media, fileName: 'tabela.pdf' } } },
    ['tabela.pdf'],
  ],
  ['sticker', { content: { kind: 'sticker', media } }, ['Figurinha']],
  [
    'contact',
    { content: { kind: 'contact', contacts: [{ name: 'Lúcia', phones: ['5511955500187'] }] } },
    ['Lúcia', 'tel:+5511955500187', '(11) 95550-0187'],
  ],
  [
    'location',
    {
      content: {
        kind: 'location',
        place: { latitude: -23.5, longitude: -46.6, name: null, address: 'Rua A', isLive: true },
      },
    },
    ['Localização em tempo real', 'Rua A', 'query=-23.5,-46.6'],
  ],
  ['deleted', { content: { kind: 'deleted' } }, ['Mensagem apagada']],
  ['unsupported', { content: { kind: 'unsupported' } }, ['Mensagem que só abre no WhatsApp.']],
  [
    'business',
    { content: { kind: 'text', isBusiness: true }, body: 'Olá!\n• Pedir orçamento' },
    ['Conta comercial', '• Pedir orçamento'],
  ],
  [
    'missed call',
    { content: { kind: 'call', call: { isAnswered: false, isVideo: false, seconds: null } } },
    ['Ligação perdida · <time>', 'href="tel:+5511955500187"', 'Ligar de volta'],
  ],
  [
    'note',
    { direction: 'note', content: note({ name: 'pinInChatMessage' }) },
    ['Rogério fixou uma mensagem', '<time>'],
  ],
  ['own note', { content: note({ name: 'keepInChatMessage', isOwn: true }) }, ['Você guardou']],
  ['unknown kind', { content: note({ name: 'hologramMessage' }) }, ['Veja no WhatsApp']],
  ['edited', { isEdited: true }, ['editada']],
  ['quoted', { quote: { isOwn: false, kind: 'image', body: '' } }, ['Rogério', 'Foto']],
  ['quoted own', { quote: { isOwn: true, kind: 'text', body: 'Bom dia' } }, ['Você', 'Bom dia']],
  ['reactions', { reactions: ['👍', '❤️'] }, ['Reações: ', '👍 ❤️']],
])('shows %s', (_, part, texts) => {
  const html = markup(part)
  for (const text of texts) expect(html).toContain(text)
})

it.each([
  ['sent', 'enviada'],
  ['delivered', 'entregue'],
  ['read', 'lida'],
  ['failed', 'não foi enviada'],
  ['unknown', 'entrega desconhecida'],
] as const)('an outgoing message that is %s shows "%s"', (delivery, words) => {
  expect(markup({ direction: 'outgoing', delivery })).toContain(`>${words}</span>`)
})

it('tells screen readers author and time', () => {
  const sentAtSeconds = Date.parse('2025-11-21T09:14:00-03:00') / 1000
  expect(markup({ direction: 'outgoing', delivery: 'sent', sentAtSeconds })).toContain('Você, 09:14:')
  const html = markup({ sentAtSeconds }, 'Hoje')
  expect(html).not.toContain('Você')
  expect(html).toContain('title="21/11/2025 09:14">09:14</time>')
  expect(html).toContain('>Hoje<')
})

it("shows the broker's name to an administrator", () => {
  const quote = { isOwn: true, kind: 'text', body: 'Bom dia' } as const
  const html = markup({ direction: 'outgoing', delivery: 'sent', quote }, null, 'Camila')
  expect(html).toMatch(/>Camila, \d\d:\d\d:</)
  expect(html).toContain('>Camila</span>')
  expect(html).not.toContain('Você')
})

it.each<[string, Partial<Message>, string[], string[]]>([
  [
    'failed',
    { delivery: 'failed', deliveryReason: 'not-on-whatsapp' },
    ['Este número não tem WhatsApp.', 'Tentar de novo'],
    [],
  ],
  [
    'failed without a known reason',
    { delivery: 'failed', deliveryReason: 'novidade' },
    ['Tentar de novo'],
    ['novidade'],
  ],
  [
    'of unknown end',
    { delivery: 'unknown', deliveryReason: 'no-answer' },
    ['Pode ter sido enviada', 'Enviar de novo'],
    [],
  ],
  [
    'sent again',
    { delivery: 'unknown', deliveryReason: 'retried' },
    ['Enviada de novo mais abaixo.'],
    ['Enviar de novo<'],
  ],
  ['sent', { delivery: 'sent' }, [], ['Tentar de novo', 'Enviar de novo']],
])('below a message that is %s are the reason and the possible actions', (_, part, there, missing) => {
  const html = markup({ direction: 'outgoing', body: 'Oi', ...part })
  for (const text of there) expect(html).toContain(text)
  for (const text of missing) expect(html).not.toContain(text)
})
