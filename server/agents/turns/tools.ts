// The tools that a model may call while it answers; portal.turn_tool executes each once a turn.
import type { Tool } from '#server/agents/engine/text-calls.ts'

const words = (description: string) => ({ type: 'string', description })
const tool = (name: string, description: string, properties: Record<string, object>) => ({
  name,
  description,
  parameters: { type: 'object', properties, required: Object.keys(properties) },
})

/** Ends the turn without a message. */
export const SAY_NOTHING = 'nada_a_dizer'

export const TOOLS = [
  tool('buscar_fatos', 'Procura fatos conferidos sobre um tema do empreendimento.', {
    tema: words('uma ou duas palavras, como "vaga" ou "entrega"'),
  }),
  tool('anotar_interesse', 'Guarda o que o lead procura: quartos, orçamento, prazo.', {
    texto: words('uma frase'),
  }),
  tool('lembrar', 'Cria um lembrete para a equipe retomar com o lead amanhã.', { texto: words('uma frase') }),
  tool(
    'material',
    'Pede ao corretor que mande fotos, plantas, tabela ou o local do empreendimento. Use quando o lead pedir para ver.',
    { o_que: words('o que o lead quer ver, como "fotos" ou "tabela"') },
  ),
  tool(
    'agendar_visita',
    'Marca a visita no dia e na hora que o lead aceitou; sem eles, ou se a hora não estiver livre, diz os horários livres.',
    {
      dia: words('AAAA-MM-DD, ou vazio'),
      hora: words('HH:MM, ou vazio'),
      lugar: words('onde é a visita'),
    },
  ),
  tool(
    SAY_NOTHING,
    'Termina sem escrever nada. Só para agradecimento, emoji, texto automático, código ou aviso de banco; nunca quando o lead perguntou algo.',
    { reason: words('por que não há o que dizer, em poucas palavras') },
  ),
  tool('encerrar', 'Encerra a conversa quando o lead se despediu e nada ficou por responder.', {}),
  tool('chamar_corretor', 'Chama um corretor para esta conversa. Use quando faltar fato ou o lead pedir.', {
    quer: words('o que o lead quer'),
    dito: words('o que já foi dito'),
    falta: words('o que falta responder'),
  }),
] satisfies Tool[]
