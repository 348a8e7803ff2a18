// Received voice messages: waveform, speed, one at a time, and playing on while the bubble is out of sight.
import { expect, test } from 'vitest'
import { conversation, openWith, silence } from '#tests/support/components/conversation.ts'

/** The portal's answer to a request for a file. */
const fileAt = (url: string) => ({ url, mimeType: 'audio/wav', fileName: null })
const VOICE = { kind: 'audio', content: { mimeType: 'audio/wav', seconds: 2, isVoice: true } }

test('um áudio mostra a onda e a duração; a velocidade muda e fica', async () => {
  await openWith([
    {
      kind: 'audio',
      content: { mimeType: 'audio/ogg', seconds: 23, isVoice: true, waveform: btoa('\u0000\u0032\u0064') },
    },
  ])
  await expect.element(conversation.getByRole('button', { name: 'Ouvir: Mensagem de voz' })).toBeVisible()
  await expect.element(conversation.getByText('0:23')).toBeVisible()
  const slider = conversation.getByRole('slider', { name: 'Mensagem de voz' })
  slider.element().focus()
  slider.element().dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }))
  await expect.element(conversation.getByText('0:05 de 0:23')).toBeVisible()
  await conversation.getByRole('button', { name: 'Velocidade: 1x. Mudar' }).click()
  await expect.element(conversation.getByRole('button', { name: 'Velocidade: 1,5x. Mudar' })).toBeVisible()
  expect(localStorage.getItem('voice-rate')).toBe('1.5')
})

test('a 1,5x e a 2x o áudio toca mesmo mais depressa, também o seguinte', async () => {
  const { portal } = await openWith([
    { kind: 'audio', content: { mimeType: 'audio/wav', seconds: 2, isVoice: true } },
    { kind: 'audio', content: { mimeType: 'audio/wav', seconds: 2, isVoice: true } },
  ])
  const url = URL.createObjectURL(silence())
  for (const id of [1, 2])
    portal.network.on(`POST /api/messages/${id}/media`, () => ({
      url,
      mimeType: 'audio/wav',
      fileName: null,
    }))
  const rate = conversation.getByRole('button', { name: /^Velocidade/ }).first()
  const play = (at: number) =>
    conversation
      .getByRole('button', { name: /: Mensagem de voz$/ })
      .nth(at)
      .click()
  const sounds = () => [...document.querySelectorAll('audio')].map(({ playbackRate }) => playbackRate)
  await rate.click()
  await play(0)
  await expect.poll(sounds).toEqual([1.5])
  await rate.click()
  await expect.poll(sounds).toEqual([2])
  await play(1)
  await expect.poll(sounds).toEqual([2, 2])
  await rate.click()
  await expect.poll(sounds).toEqual([1, 1])
  URL.revokeObjectURL(url)
})

test('um áudio cujo endereço envelheceu é pedido de novo, e toca; um que não abre diz isso', async () => {
  const { portal } = await openWith([
    { kind: 'audio', content: { mimeType: 'audio/wav', seconds: 2, isVoice: true } },
  ])
  const good = URL.createObjectURL(silence())
  const urls = ['blob:http://localhost/too-old', good, 'blob:http://localhost/broken']
  portal.network.on('POST /api/messages/1/media', () => fileAt(urls.shift() ?? ''))
  const play = conversation.getByRole('button', { name: 'Ouvir: Mensagem de voz' })
  await play.click()
  await expect.poll(() => document.querySelector('audio')?.src).toBe(good)
  await expect.element(conversation.getByRole('button', { name: 'Pausar: Mensagem de voz' })).toBeVisible()
  URL.revokeObjectURL(good)
  document.querySelector('audio')?.dispatchEvent(new Event('error'))
  await expect.element(conversation.getByText('Mídia indisponível Tentar de novo')).toBeVisible()
})

const log = conversation.getByRole('log', { name: 'Mensagens' })
const heard = () => [...document.querySelectorAll('audio')].filter(({ paused }) => !paused).length
const button = (at: number) => conversation.getByRole('button', { name: /: Mensagem de voz$/ }).nth(at)
const LINES = Array.from({ length: 80 }, (_, at) => ({ body: `Linha ${at}` }))

/** Scrolls there until the list has settled; then `count` voice messages are rendered. */
async function expectVoicesAt(end: 'top' | 'bottom', count: number) {
  await expect.element(log).toBeInTheDocument()
  await expect
    .poll(() => {
      const list = log.element()
      list.scrollTo({ top: end === 'top' ? 0 : list.scrollHeight })
      return conversation.getByRole('button', { name: /: Mensagem de voz$/ }).elements().length
    })
    .toBe(count)
}

test('um áudio continua a tocar fora da vista, e de volta mostra que toca; sair da conversa o cala', async () => {
  const { portal } = await openWith([...LINES, VOICE])
  const url = URL.createObjectURL(silence(60))
  portal.network.on('POST /api/messages/81/media', () => fileAt(url))
  await conversation.getByRole('button', { name: 'Ouvir: Mensagem de voz' }).click()
  const pause = conversation.getByRole('button', { name: 'Pausar: Mensagem de voz' })
  await expect.element(pause).toBeVisible()
  const sound = document.querySelector('audio')
  await expectVoicesAt('top', 0)
  expect(sound?.paused).toBe(false)
  await expectVoicesAt('bottom', 1)
  await expect.element(pause).toBeVisible()
  expect(document.querySelector('audio')).toBe(sound)
  await conversation.getByRole('button', { name: 'Fechar', exact: true }).click()
  await expect.element(conversation).not.toBeInTheDocument()
  await expect.poll(() => sound?.paused).toBe(true)
  URL.revokeObjectURL(url)
})

test('só um áudio toca de cada vez, e o de baixo segue sozinho, também fora da vista', async () => {
  const { portal } = await openWith([VOICE, VOICE, ...LINES])
  const urls = [5, 60].map((seconds) => URL.createObjectURL(silence(seconds)))
  for (const [at, url] of urls.entries())
    portal.network.on(`POST /api/messages/${at + 1}/media`, () => fileAt(url))
  // The conversation opens at its end, and may draw its beginning for a moment.
  await expectVoicesAt('bottom', 0)
  await expectVoicesAt('top', 2)
  await button(1).click()
  await expect.poll(heard).toBe(1)
  await button(0).click()
  await expect.element(button(1)).toHaveAccessibleName('Ouvir: Mensagem de voz')
  expect(heard()).toBeLessThan(2)
  await expectVoicesAt('bottom', 0)
  await expect
    .poll(() => [...document.querySelectorAll('audio')].map(({ paused }) => paused))
    .toEqual([false, true])
  await expectVoicesAt('top', 2)
  await expect.element(button(1)).toHaveAccessibleName('Pausar: Mensagem de voz')
  for (const url of urls) URL.revokeObjectURL(url)
})
