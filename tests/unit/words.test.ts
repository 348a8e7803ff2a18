// Words that the screens keep to: one expression for one thing, whichever file its sentence stands in.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const files = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => path.join('src', name))

/** Sentences between quotes, comments left out. */
function sentencesOf(file: string): string[] {
  const text = readFileSync(path.join(root, file), 'utf8')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/^\s*\/\/.*$/gm, '')
  return [...text.matchAll(/'([^'\n]*)'|`([^`]*)`|>([^<>{}\n]+)</g)].map(
    ([, quoted, template, between]) => quoted ?? template ?? between ?? '',
  )
}

/** Of a label, too, which stands between double quotes or over several lines. */
const whole = files.map((file) => readFileSync(path.join(root, file), 'utf8').replaceAll(/\s+/g, ' '))
const sentences = files.flatMap((file) => sentencesOf(file).map((text) => ({ file, text })))

describe('as frases das telas', () => {
  test('o que precisa de rede diz internet: sinal é do celular, e uma mesa não tem', () => {
    const wrong = sentences.filter(({ text }) => /precisa de sinal|houver sinal|o sinal volt/i.test(text))
    expect(wrong).toEqual([])
  })

  test('um verbo para um ato: o que acaba para sempre se exclui', () => {
    // What WhatsApp says of a message, and what only leaves the device, are other things.
    const wrong = sentences.filter(({ text }) => /\bApag(?!ada$)|\bapag(?:ue|ad[oa]s?)\b/.test(text))
    expect(wrong.filter(({ text }) => text !== 'Mensagem apagada')).toEqual([])
  })

  test('uma pessoa tem nome: nunca corretor(a), nem um verbo para o outro gênero', () => {
    expect(sentences.filter(({ text }) => /\w\([ao]s?\)/.test(text))).toEqual([])
  })

  test.each([
    'Fora do horário de envio.',
    'Nada será enviado até você tocar em Continuar.',
    'Será enviada assim que o WhatsApp conectar.',
    'O administrador precisa ajustar o serviço de WhatsApp. A mensagem sai depois disso.',
    'Você precisa de internet para enviar.',
    'Você precisa de internet para entrar.',
    'Você precisa de internet para conectar.',
    'Você precisa de internet para salvar.',
    'Você precisa de internet para responder.',
    'Você precisa de internet para passar leads.',
    'Sem avisos nesse horário. No fim, você recebe um resumo dos leads à espera.',
    'não era a sua vez',
    'Esperam sua decisão',
    'Continuar escrevendo',
    'Só no app instalado',
    'Horário permitido',
    'Será perdido para sempre:',
    'Origem padrão',
    'Campanha padrão',
    'Empreendimento padrão',
    'Limite',
    'Correspondência dos campos',
    'Use o nome que vem nos leads. O agente atende as conversas dele.',
    'Escaneie este código',
    'Erro ao enviar a mensagem. O texto continua no campo.',
    'Nova senha',
    'Peça ao administrador para configurar o WhatsApp.',
    'Pode bloquear a tela: o envio continua no servidor.',
  ])('diz a frase combinada: %s', (sentence) => {
    expect(whole.some((text) => text.includes(sentence))).toBe(true)
  })
})
