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
    ['domain/campaign.ts', 'Fora do horário de envio.'],
    ['features/remarketing/texts.ts', 'Ela continua'],
    ['domain/campaign.ts', 'Nada será enviado até você tocar em Continuar.'],
    ['features/remarketing/progress/progress-panel.tsx', "replace('tocar', 'clicar')"],
    ['domain/message/outgoing.ts', 'Será enviada assim que o WhatsApp conectar.'],
    [
      'domain/message/outgoing.ts',
      'O administrador precisa ajustar o serviço de WhatsApp. A mensagem sai depois disso.',
    ],
    ['features/outbox/queue-dialog.tsx', 'Você precisa de internet para enviar.'],
    ['features/login/texts.ts', 'Você precisa de internet para entrar.'],
    ['features/connect/welcome.tsx', 'Você precisa de internet para conectar.'],
    ['features/remarketing/rules-dialog.tsx', 'Você precisa de internet para salvar.'],
    ['features/offers/texts.ts', 'Você precisa de internet para responder.'],
    ['features/crm/hand-over-dialog.tsx', 'Você precisa de internet para passar leads.'],
    ['api/network.ts', 'Sinal fraco. Tente de novo.'],
    [
      'features/account/push/dialog.tsx',
      'Sem avisos nesse horário. No fim, você recebe um resumo dos leads à espera.',
    ],
    ['features/offers/own-rotations-dialog.tsx', 'Para onde foram os '],
    ['domain/rotation/reasons.ts', 'não era a sua vez'],
    ['domain/rotation/reasons.ts', 'era a vez de ${broker}'],
    ['features/outbox/texts.ts', '1 alteração espera sua decisão'],
    ['features/outbox/queue-dialog.tsx', 'Esperam sua decisão'],
    ['features/outbox/decision.tsx', 'Manter em ${theirs}'],
    ['features/outbox/decision.tsx', 'Mover para ${mine}'],
    ['features/board/notes/notes-dialog.tsx', 'Continuar escrevendo'],
    ['features/outbox/entry-words.ts', 'Nota sobre ${name}'],
    ['features/account/push/row.tsx', 'Só no app instalado'],
    ['features/remarketing/progress/next-step.tsx', 'Faltam ${'],
    ['features/remarketing/progress/next-step.tsx', 'Pausada. ${'],
    ['features/remarketing/rules-text.tsx', 'Horário permitido'],
    ['features/brokers/remove-broker-dialog.tsx', 'Será perdido para sempre:'],
    ['features/sources/new-source-dialog.tsx', 'Origem padrão'],
    ['features/sources/new-source-dialog.tsx', 'Campanha padrão'],
    ['features/sources/new-source-dialog.tsx', 'Empreendimento padrão'],
    ['features/sources/source-panel.tsx', 'Limite: ${perMinuteOf('],
    ['features/sources/unread-dialog.tsx', 'Correspondência dos campos'],
    [
      'features/agents/new-agent-dialog.tsx',
      'Use o nome que vem nos leads. O agente atende as conversas dele.',
    ],
    ['features/rotations/inbox/replay-section.tsx', 'Nada é alterado.'],
    ['features/connect/qr-code.tsx', 'Escaneie este código'],
    ['features/conversation/composer/use-outgoing.ts', 'O texto continua no campo.'],
    ['features/login/broker-login.tsx', 'Nova senha'],
    ['features/login/admin-first-access.tsx', 'Nova senha'],
    ['features/connect/welcome.tsx', 'Peça ao administrador para configurar o WhatsApp.'],
    [
      'features/remarketing/progress/progress-panel.tsx',
      'Pode bloquear a tela: o envio continua no servidor.',
    ],
  ])('%s diz: %s', (file, sentence) => {
    expect(readFileSync(path.join(root, 'src', file), 'utf8').replaceAll(/\s+/g, ' ')).toContain(sentence)
  })
})
