// The texts of each kind of push, and the targets of its buttons.
import { displayName } from '#domain/broker.ts'
import { countOf } from '#domain/count.ts'
import { spokenHour } from '#domain/format.ts'
import { leadTitle } from '#domain/lead/lead.ts'
import { spanWords } from '#domain/lead/path.ts'
import { messageSummary } from '#domain/message/message.ts'
import type { ClaimedPush } from './push-queue.ts'

type Action = { action: string; title: string; navigate: string }
type Words = { title: string; body: string; path: string; actions: Action[] }

/** `address`: the portal's public address. */
export function wordsOf(push: ClaimedPush, address: string): Words {
  const { kind, campaign, happened, unreadLeads } = push
  const board = { path: '/broker', actions: [] }
  switch (kind) {
    case 'lead':
    case 'assigned':
    case 'message':
      return { ...leadWords(push, kind), ...leadWay(push, address) }
    case 'risk':
      return riskWords(push)
    case 'machine':
      return machineWords(push)
    case 'link':
      return {
        title: 'WhatsApp desconectado',
        body: 'Mensagens novas só chegam depois de conectar de novo.',
        ...board,
      }
    case 'asked':
      return askedWords(push)
    case 'lost':
      return { ...lostWords(push), path: '/', actions: [] }
    case 'feed':
      return { ...feedWords(push), path: '/empreendimentos?feed=1', actions: [] }
    case 'webhook':
      return { ...hookWords(push), path: '/integracoes', actions: [] }
    case 'campaign':
      return { ...campaignWords(campaign), path: '/broker/remarketing', actions: [] }
    case 'offer':
      return { ...offerWords(push), ...offerWay(push, address) }
    case 'visit':
    case 'outcome':
      return visitWords(push, address)
    case 'try':
      return tryWords(push)
    case 'unsent':
      return {
        ...unsentWords(push),
        path: push.unsent ? `/broker?lead=${push.unsent.contactId}` : '/broker',
        actions: [],
      }
    case 'accepted':
    case 'declined':
      return passWords(push, kind)
    case 'digest':
      return { title: digestTitle(unreadLeads ?? 0), body: 'Toque para abrir o quadro.', ...board }
    case 'handover':
      return {
        title: happened === 1 ? '1 lead para você' : `${happened} leads para você`,
        body: 'Toque para abrir o quadro.',
        ...board,
      }
  }
}

const digestTitle = (leads: number) =>
  leads === 1 ? '1 lead espera resposta' : `${leads} leads esperam resposta`

const LEAD_TITLE = { lead: 'Novo lead', assigned: 'Lead para você', message: 'Nova mensagem' }
const TOUCH = 'Toque para atender.'
const CALLED = 'Ligou para você'

function leadWords(
  { hidesNames, lead }: ClaimedPush,
  kind: keyof typeof LEAD_TITLE,
): Pick<Words, 'title' | 'body'> {
  if (hidesNames || !lead) return { title: LEAD_TITLE[kind], body: TOUCH }
  const name = leadTitle(lead)
  return {
    title: kind === 'message' ? name : `${LEAD_TITLE[kind]}: ${name}`,
    body: lead.kind === 'call' ? CALLED : messageSummary(lead).replace(/\s+/gu, ' ') || TOUCH,
  }
}

function leadWay({ subject, lead }: ClaimedPush, address: string): Pick<Words, 'path' | 'actions'> {
  const path = `/broker?lead=${subject}`
  const hasMessage = typeof lead?.sentAtSeconds === 'number'
  const navigate = address + path
  return {
    path,
    actions: hasMessage
      ? [
          { action: 'responder', title: 'Responder', navigate },
          // Declarative push has no script, so opening the link marks it as read.
          { action: 'lida', title: 'Marcar como lida', navigate },
        ]
      : [],
  }
}

/** 'Marina espera há 15 min': for its broker, and later for administrators, with the broker's name. */
function riskWords({ hidesNames, subject, lead, risk }: ClaimedPush): Words {
  const { waitsSeconds = 0, isAdmin = false, instanceName = null } = risk ?? {}
  const who = hidesNames || !lead ? 'Um lead' : leadTitle(lead)
  const whose = hidesNames ? 'um corretor' : instanceName === null ? null : displayName(instanceName)
  const title = `${who} espera há ${spanWords(waitsSeconds)}`
  if (!isAdmin) return { title, body: TOUCH, path: `/broker?lead=${subject}`, actions: [] }
  return {
    title,
    body: whose === null ? 'Sem corretor. Toque para passar.' : `Com ${whose}. Toque para avisar ou passar.`,
    path: '/reports?secao=agora',
    actions: [],
  }
}

function machineWords({ hidesNames, subject, lead, machine }: ClaimedPush): Words {
  const whose = hidesNames || !lead ? 'um contato' : leadTitle(lead)
  return {
    title: 'Parece resposta automática',
    body: `O assistente parou na conversa com ${whose}. Toque para ver.`,
    path: machine?.isAdmin
      ? `/prompts?agente=${machine.agentId}&ver=chat&conversa=${subject}`
      : `/broker?lead=${subject}`,
    actions: [],
  }
}

/** For an administrator: a broker asks to remove a lead that the agency brought. */
const askedWords = ({ hidesNames, lead }: ClaimedPush): Words => ({
  title: 'Um corretor pede para tirar um lead do quadro',
  body: hidesNames || !lead ? 'Toque para ver.' : `${leadTitle(lead)}. Toque para ver.`,
  path: '/crm',
  actions: [],
})

function feedWords({ feed }: ClaimedPush): Pick<Words, 'title' | 'body'> {
  const { changes = 0, isRefused = false } = feed ?? {}
  if (isRefused)
    return { title: 'A leitura do feed foi recusada', body: 'Nada mudou. Toque para ver o motivo.' }
  return {
    title: `O feed tem ${countOf(changes, 'mudança', 'mudanças')} para conferir`,
    body: 'Nada disso muda até você aplicar.',
  }
}

function hookWords({ hook, tag }: ClaimedPush): Pick<Words, 'title' | 'body'> {
  if (tag === 'conversions')
    return {
      title: 'Conversões paradas',
      body: 'Falta um token da Meta que valha, ou uma permissão a ele. As conversões esperam um token novo.',
    }
  const { name = 'outro sistema', isGone = false } = hook ?? {}
  return isGone
    ? {
        title: `Avisos desligados: ${name}`,
        body: 'O endereço diz que não existe mais. O que acontece aqui não vai mais para lá.',
      }
    : {
        title: `Avisos parados: ${name}`,
        body: 'Falharam 20 vezes seguidas. O que acontece aqui espera até alguém retomar.',
      }
}

function lostWords({ hidesNames, lostInstance }: ClaimedPush): Pick<Words, 'title' | 'body'> {
  const whose = hidesNames || lostInstance === null ? 'um corretor' : displayName(lostInstance)
  return {
    title: `O WhatsApp de ${whose} caiu`,
    body: 'Mensagens novas só chegam depois de conectar de novo. Toque para ver os corretores.',
  }
}

function offerWords({ hidesNames, offer }: ClaimedPush): Pick<Words, 'title' | 'body'> {
  const { firstName = null, development = null, secondsLeft = 0 } = offer ?? {}
  const head = secondsLeft === null ? 'Lead no bolsão' : 'Novo lead para aceitar'
  const left = secondsLeft === null ? 'Fica com quem pegar primeiro.' : timeLeft(secondsLeft)
  return {
    title: hidesNames || firstName === null ? head : `${head}: ${firstName}`,
    body: hidesNames || development === null ? left : `${development}. ${left}`,
  }
}

/** The offer can be answered from the notification, or viewed first. */
function offerWay({ subject, offer }: ClaimedPush, address: string): Pick<Words, 'path' | 'actions'> {
  const path = `/broker?oferta=${subject}`
  const answer = (action: string, title: string) => ({
    action,
    title,
    navigate: `${address}${path}&resposta=${action}`,
  })
  const isPooled = offer?.secondsLeft === null
  return {
    path,
    actions: isPooled
      ? [answer('pegar', 'Pegar')]
      : [answer('aceitar', 'Aceitar'), answer('passar', 'Passar')],
  }
}

/** For the broker who passed a lead to a colleague. */
function passWords({ hidesNames, subject, pass }: ClaimedPush, kind: 'accepted' | 'declined'): Words {
  const colleague = hidesNames || !pass ? 'Seu colega' : displayName(pass.colleague)
  const whom = (!hidesNames && pass?.firstName) || 'o lead'
  return kind === 'accepted'
    ? { title: `${colleague} ficou com ${whom}`, body: 'A conversa foi junto.', path: '/broker', actions: [] }
    : {
        title: `${colleague} não ficou com ${whom}`,
        body: 'O lead continua com você. Toque para abrir.',
        path: `/broker?lead=${subject}`,
        actions: [],
      }
}

function timeLeft(seconds: number): string {
  const minutes = Math.max(1, Math.round(seconds / 60))
  return `${minutes} ${minutes === 1 ? 'minuto' : 'minutos'} para aceitar.`
}

function visitWords(push: ClaimedPush, address: string): Words {
  const { visit, kind, hidesNames } = push
  const isOver = kind === 'outcome'
  // The page asks for the outcome again, even if the person postponed it.
  const path = `/broker/hoje?${isOver ? 'visita' : 'lead'}=${visit?.contactId}`
  const move = `/broker/hoje?remarcar=${visit?.contactId}`
  const answer = (action: string, title: string, way = path) => ({ action, title, navigate: address + way })
  const startsAtMs = visit?.startsAtMs ?? 0
  const about = [
    visit && !hidesNames ? leadTitle(visit) : null,
    spokenHour(startsAtMs),
    hidesNames ? null : visit?.place,
  ]
  return {
    title: isOver
      ? 'A visita aconteceu?'
      : `Visita ${visit?.isToday ? 'hoje' : 'amanhã'}, ${spokenHour(startsAtMs)}`,
    body: about.filter(Boolean).join(', '),
    path,
    actions: isOver
      ? [answer('sim', 'Sim'), answer('nao-veio', 'Não veio'), answer('remarcar', 'Remarcar', move)]
      : [],
  }
}

const TRY = { call: 'Ligar', message: 'Escrever', task: 'Tarefa', visit: 'Visita' }

/** 'Ligar às 15h', ten minutes before a step of a plan. */
const tryWords = ({ visit, hidesNames }: ClaimedPush): Words => ({
  title: `${TRY[visit?.kind ?? 'call']} às ${spokenHour(visit?.startsAtMs ?? 0)}`,
  body:
    hidesNames || !visit
      ? 'Próxima tentativa do plano.'
      : [leadTitle(visit), visit.place].filter(Boolean).join(', '),
  path: visit ? `/broker?lead=${visit.contactId}` : '/broker',
  actions: [],
})

const UNSENT = {
  answered: 'O lead respondeu antes. Toque para enviar assim mesmo ou descartar.',
  late: 'Passou da hora. Toque para enviar agora ou mudar.',
  'handed-over': 'O lead passou para você. Toque para decidir se ela sai.',
} satisfies Record<string, string>

function unsentWords({ hidesNames, unsent }: ClaimedPush): Pick<Words, 'title' | 'body'> {
  const why: string | undefined = unsent?.why
  return {
    title: `Mensagem agendada não saiu${hidesNames || !unsent ? '' : `: ${leadTitle(unsent)}`}`,
    body: Object.entries(UNSENT).find(([reason]) => reason === why)?.[1] ?? 'Toque para ver o motivo.',
  }
}

function campaignWords(campaign: ClaimedPush['campaign']): Pick<Words, 'title' | 'body'> {
  const { status = '', sent = 0, total = 0 } = campaign ?? {}
  const progress = `${sent} de ${total} enviadas`
  if (status === 'completed') return { title: 'Campanha concluída', body: progress }
  const title = status === 'paused' ? 'Campanha pausada' : 'Campanha interrompida'
  return { title, body: `${progress}. Toque para ver o motivo.` }
}
