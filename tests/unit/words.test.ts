// One expression for one thing in the screens' Portuguese, in every file.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const files = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => path.join('src', name))

/** Quoted sentences, without comments. */
function sentencesOf(file: string): string[] {
  const text = readFileSync(path.join(root, file), 'utf8')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/^\s*\/\/.*$/gm, '')
  return [...text.matchAll(/'([^'\n]*)'|`([^`]*)`|>([^<>{}\n]+)</g)].map(
    ([, quoted, template, between]) => quoted ?? template ?? between ?? '',
  )
}

const sentences = files.flatMap((file) => sentencesOf(file).map((text) => ({ file, text })))

describe('as frases das telas', () => {
  test('o que precisa de rede diz internet: sinal é do celular, e uma mesa não tem', () => {
    const wrong = sentences.filter(({ text }) => /precisa de sinal|houver sinal|o sinal volt/i.test(text))
    expect(wrong).toEqual([])
  })

  test('um verbo para um ato: o que acaba para sempre se exclui', () => {
    // WhatsApp's own words about a message, and deletions on the device only, are other things.
    const wrong = sentences.filter(({ text }) => /\bApag(?!ada$)|\bapag(?:ue|ad[oa]s?)\b/.test(text))
    const isWhatsapps = /^Apagar$|para todos|mensagem para|Mensagem apagada/
    expect(wrong.filter(({ text }) => !isWhatsapps.test(text))).toEqual([])
  })

  test('uma pessoa tem nome: nunca corretor(a), nem um verbo para o outro gênero', () => {
    expect(sentences.filter(({ text }) => /\w\([ao]s?\)/.test(text))).toEqual([])
  })

  test.each([
    ['domain', 'Fora do horário de envio.'],
    ['features/remarketing', 'Ela continua'],
    ['domain', 'Nada será enviado até você tocar em Continuar.'],
    ['features/remarketing', "replace('tocar', 'clicar')"],
    ['domain/message', 'Será enviada assim que o WhatsApp conectar.'],
    ['domain/message', 'O administrador precisa ajustar o serviço de WhatsApp. A mensagem sai depois disso.'],
    ['features/outbox', 'Você precisa de internet para enviar.'],
    ['features/login', 'Você precisa de internet para entrar.'],
    ['features/connect', 'Você precisa de internet para conectar.'],
    ['features/remarketing', 'Você precisa de internet para salvar.'],
    ['features/offers', 'Você precisa de internet para responder.'],
    ['features/crm', 'Você precisa de internet para passar leads.'],
    ['api', 'Sinal fraco. Tente de novo.'],
    ['features/account', 'Sem avisos nesse horário. No fim, você recebe um resumo dos leads à espera.'],
    ['features/offers', 'Para onde foram os '],
    ['domain/rotation', 'não era a sua vez'],
    ['domain/rotation', 'era a vez de ${broker}'],
    ['features/outbox', '1 alteração espera sua decisão'],
    ['features/outbox', 'Esperam sua decisão'],
    ['features/outbox', 'Manter em ${theirs}'],
    ['features/outbox', 'Mover para ${mine}'],
    ['features/board', 'Continuar escrevendo'],
    ['features/outbox', 'Nota sobre ${name}'],
    ['features/account', 'Só no app instalado'],
    ['features/remarketing', 'Faltam ${'],
    ['features/remarketing', 'Pausada. ${'],
    ['features/remarketing', 'Horário permitido'],
    ['features/brokers', 'Será perdido para sempre:'],
    ['features/sources', 'Origem padrão'],
    ['features/sources', 'Campanha padrão'],
    ['features/sources', 'Empreendimento padrão'],
    ['features/sources', 'Limite: ${perMinuteOf('],
    ['features/sources', 'Correspondência dos campos'],
    ['features/agents', 'Use o nome que vem nos leads. O agente atende as conversas dele.'],
    ['features/rotations', 'Nada é alterado.'],
    ['features/connect', 'Escaneie este código'],
    ['features/conversation', 'O texto continua no campo.'],
    ['features/login', 'Nova senha'],
    ['features/login', 'Nova senha'],
    ['features/connect', 'Peça ao administrador para configurar o WhatsApp.'],
    ['features/remarketing', 'Pode bloquear a tela: o envio continua no servidor.'],
  ])('%s diz: %s', (place, sentence) => {
    const saying = files.filter((file) =>
      readFileSync(path.join(root, file), 'utf8').replaceAll(/\s+/g, ' ').includes(sentence),
    )
    expect(saying).toContainEqual(expect.stringContaining(`src/${place}/`))
  })
})
