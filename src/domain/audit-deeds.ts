// All actions of the audit log, by area, each with its sentence. portal.audit (supabase/schemas/15_audit.sql) writes
// the entries.
import { AGENT_MODES, MODE_LABEL } from './agent/agent.ts'
import {
  AGENT_FIELDS,
  called,
  EXPORTED,
  kindOf,
  listOf,
  listOwner,
  ofOwner,
  owner,
  SIGN_OUT_SCOPES,
  PURPOSES,
  ROTATION_RULES,
  SETTING_NAMES,
  textOf,
} from './audit-words.ts'
import { displayName } from './broker.ts'
import { countOf } from './count.ts'
import { formatDateTime } from './format.ts'
import { formatMicros } from './reais.ts'

/** The details of an entry as stored in jsonb. Keys that this version does not know are ignored. */
export type Details = Readonly<Record<string, unknown>>

/** What a sentence is made of. `text` reads a detail; '' if it is missing. */
type Deed = { subject: string; text: (name: string) => string; count: number; details: Details }
export type DeedWords = (deed: Deed) => string

/**
 * Returns the last digits of the number, the only part of it that the audit log stores. Empty if WhatsApp hides the
 * number.
 */
const endingOf = (text: Deed['text']) => (text('ending') === '' ? '' : ` de número final ${text('ending')}`)

const ACCESS = {
  'session.opened': ({ details }) => (details['secondStep'] === true ? 'Entrou, em duas etapas' : 'Entrou'),
  'session.closed': ({ text }) => ['Saiu', SIGN_OUT_SCOPES[text('scope')]].filter(Boolean).join(' '),
  'sign-in.refused': ({ subject, text }) =>
    `Entrada recusada na conta de ${subject}: ${PURPOSES[text('reason')] ?? text('reason')}`,
  'password.set': ({ subject }) => `Definiu a primeira senha de ${subject}`,
  'password.changed': ({ subject }) => `Trocou a senha de ${subject}`,
  'second-step.on': () => 'Ativou a verificação em duas etapas',
  'second-step.off': () => 'Desativou a verificação em duas etapas',
  'recovery-codes.made': () => 'Gerou novos códigos de recuperação',
  'recovery-code.used': () => 'Usou um código de recuperação',
  'service-token.made': ({ subject, details }) =>
    `Criou o token de serviço ${called(subject)}: ${listOf(details['grants'])}`,
  'service-token.revoked': ({ subject }) => `Revogou o token de serviço ${called(subject)}`,
  'intake-key.made': ({ subject }) => `Criou a chave de captação ${called(subject)}`,
  'intake-key.revoked': ({ subject }) => `Revogou a chave de captação ${called(subject)}`,
  'intake-key.seen': ({ subject }) => `Viu o endereço da fonte ${called(subject)}`,
  'intake-key.changed': ({ subject }) => `Mudou a fonte ${called(subject)}`,
  'intake-key.on': ({ subject }) => `Ligou a fonte ${called(subject)}`,
  'intake-key.off': ({ subject }) => `Desligou a fonte ${called(subject)}`,
  'intake-key.swapped': ({ subject }) => `Trocou a chave da fonte ${called(subject)}`,
  'intake.seen': ({ subject }) => `Viu uma entrega não lida da fonte ${called(subject)}`,
  'intake.compared': () => 'Viu o que mudaria ao ler de novo o que chegou',
  'intake.mended': ({ details }) =>
    `Corrigiu pela leitura de hoje ${countOf(Number(details['count'] ?? 0), 'lead', 'leads')}`,
  'mailbox.set': ({ subject, details }) =>
    `${details['isOn'] === true ? 'Ligou a leitura da' : 'Guardou, desligada, a'} caixa de e-mail da fonte ${called(subject)}`,
  'mailbox.removed': ({ subject }) => `Tirou a caixa de e-mail da fonte ${called(subject)}`,
  'intake.read-again': ({ details }) =>
    `Mandou ler de novo ${countOf(Number(details['count']), 'entrega', 'entregas')}`,
  'intake.discarded': ({ details }) =>
    `Descartou ${countOf(Number(details['count']), 'entrega', 'entregas')} sem ler`,
} satisfies Record<string, DeedWords>

const wayOf = (target: string) => (target === 'messaging' ? 'pela conversa' : 'pelo CRM')

const INTEGRATIONS = {
  'webhook.added': ({ subject }) => `Adicionou o endereço de avisos ${called(subject)}`,
  'webhook.tested': ({ subject }) => `Ligou os avisos para ${called(subject)}, que respondeu ao teste`,
  'webhook.active': ({ subject }) => `Retomou os avisos para ${called(subject)}`,
  'webhook.paused': ({ subject }) => `Pausou os avisos para ${called(subject)}, após 20 falhas`,
  'webhook.off': ({ subject }) => `Desligou os avisos para ${called(subject)}`,
  'webhook.secret-changed': ({ subject }) => `Trocou o segredo dos avisos para ${called(subject)}`,
  'webhook.replayed': ({ subject, count }) =>
    `Mandou ${countOf(count, 'aviso', 'avisos')} de novo para ${called(subject)}`,
  'webhook.skipped': ({ subject }) => `Pulou um aviso que esperava por ${called(subject)}`,
  'webhook.removed': ({ subject }) => `Removeu o endereço de avisos ${called(subject)}`,
  'conversion.on': ({ subject }) => `Ligou o envio de conversões para a Meta, ${wayOf(subject)}`,
  'conversion.off': ({ subject }) =>
    `Guardou, desligado, o envio de conversões para a Meta, ${wayOf(subject)}`,
  'conversion.token-set': ({ subject }) => `Trocou o token do envio de conversões, ${wayOf(subject)}`,
  'conversion.test-set': ({ subject, text }) =>
    text('code') === ''
      ? `Tirou o código de teste do envio de conversões, ${wayOf(subject)}`
      : `Pôs o código de teste ${text('code')} no envio de conversões, ${wayOf(subject)}`,
  'conversion.stopped': ({ subject }) =>
    `O envio de conversões parou, ${wayOf(subject)}: falta um token da Meta que valha, ou uma permissão a ele`,
  'conversion.decided': ({ subject, text }) =>
    text('decision') === 'again'
      ? `Mandou enviar de novo a conversão ${subject}`
      : `Considerou enviada a conversão ${subject}`,
  'conversion.replayed': ({ subject, count }) =>
    `Mandou enviar de novo ${countOf(count, 'conversão', 'conversões')} ${subject === 'refused' ? 'que a Meta recusou' : 'sem certeza'}`,
  'spend.set': ({ subject, text, details }) =>
    typeof details['cents'] === 'number'
      ? `Informou o gasto de ${subject} em ${text('month')}: ${formatMicros(details['cents'] * 10_000)}`
      : `Tirou o gasto de ${subject} em ${text('month')}`,
  'spend.imported': ({ count }) =>
    `Importou de um arquivo o gasto de ${countOf(count, 'campanha', 'campanhas')}`,
} satisfies Record<string, DeedWords>

const ADMINS = {
  'admin.added': ({ subject }) => `Adicionou o administrador ${subject}`,
  'admin.reset': ({ subject, text }) =>
    `Redefiniu o acesso do administrador ${subject}${text('place') === 'server' ? ', por comando no servidor' : ''}`,
  'admin.removed': ({ subject }) => `Removeu o administrador ${subject}`,
} satisfies Record<string, DeedWords>

const BROKERS = {
  'broker.added': ({ subject }) => `Adicionou o corretor ${subject}`,
  'broker.reset': ({ subject }) => `Resetou a senha do corretor ${subject}`,
  'broker.removed': ({ subject }) => `Removeu o corretor ${subject}`,
  'calendar.renewed': ({ subject }) => `Gerou um novo endereço para a agenda de ${displayName(subject)}`,
  'calendar.off': ({ subject }) => `Desligou o endereço da agenda de ${displayName(subject)}`,
  'link.lost': ({ subject }) => `O WhatsApp de ${displayName(subject)} caiu`,
  'link.back': ({ subject }) => `O WhatsApp de ${displayName(subject)} voltou`,
} satisfies Record<string, DeedWords>

const teamOf = (name: string) => (name === '' ? 'Sem equipe' : name)

const TEAMS = {
  'team.added': ({ subject }) => `Criou a equipe ${called(subject)}`,
  'team.renamed': ({ subject, text }) => `Renomeou a equipe ${called(subject)} para ${called(text('to'))}`,
  'team.removed': ({ subject, count }) =>
    `Excluiu a equipe ${called(subject)}, de ${countOf(count, 'corretor', 'corretores')}`,
  'team.moved': ({ subject, text }) =>
    `Passou o corretor ${subject} de ${called(teamOf(text('from')))} para ${called(teamOf(text('to')))}`,
  'team.manager-added': ({ subject, text }) =>
    `Tornou ${text('manager')} gerente da equipe ${called(subject)}`,
  'team.manager-removed': ({ subject, text }) =>
    `Tirou ${text('manager')} da gerência da equipe ${called(subject)}`,
  'manager.added': ({ subject }) => `Adicionou o gerente ${subject}`,
  'manager.reset': ({ subject }) => `Redefiniu o acesso do gerente ${subject}`,
  'manager.removed': ({ subject }) => `Removeu o gerente ${subject}`,
} satisfies Record<string, DeedWords>

const LEADS = {
  'plan.template': ({ subject, details }) =>
    `${details['steps'] === 0 ? 'Removeu' : 'Publicou'} o plano de tentativas ${subject === '' ? 'da agência' : `de ${called(subject)}`}`,
  'leads.handed-over': ({ text, count }) =>
    `Passou ${countOf(count, 'lead', 'leads')} ${ofOwner(text('from'))} para ${owner(text('to'))}`,
  'person.exported': ({ details, text }) =>
    `Exportou todos os dados de uma pessoa${endingOf(text)}: ${countOf(Number(details['rows'] ?? 0), 'registro', 'registros')}`,
  'conversation.saved': ({ details, text }) =>
    `Baixou a conversa do lead nº ${text('lead')}${endingOf(text)}: ${countOf(Number(details['messages'] ?? 0), 'mensagem', 'mensagens')}, SHA-256 ${text('sha256')}`,
  'person.erased': ({ details, text }) =>
    `Excluiu todos os dados de uma pessoa${endingOf(text)}: ${countOf(Number(details['leads'] ?? 0), 'contato', 'contatos')}, ${countOf(Number(details['messages'] ?? 0), 'mensagem', 'mensagens')}`,
  'lead.refused': ({ text }) =>
    text('reason') === 'limit'
      ? 'Tentou adicionar mais leads do que o limite do dia'
      : 'Tentou adicionar um lead que já é de outra pessoa da equipe',
  'lead.number-decided': ({ subject }) => `Escolheu o número de um lead ${ofOwner(subject)}`,
  'lead.private': () => 'Marcou 1 conversa como particular',
  'lead.private-asked': () => 'Pediu ao administrador para tirar um lead do quadro',
  'lead.public': () => 'Trouxe 1 conversa particular de volta ao quadro',
  'import.started': ({ subject, text, count }) =>
    `Importou uma lista de ${countOf(count, 'linha', 'linhas')} para ${listOwner(text('destination'), subject)}`,
  'import.undone': ({ count }) => `Desfez uma importação de ${countOf(count, 'lead', 'leads')}`,
  'opt-out.undone': () => 'Voltou a permitir campanhas para um lead que tinha pedido para não receber',
} satisfies Record<string, DeedWords>

const STAGES = {
  'stage.added': ({ subject }) => `Criou o estágio ${called(subject)}`,
  'stage.renamed': ({ subject, text }) => `Renomeou o estágio ${called(subject)} para ${called(text('to'))}`,
  'stage.kind-changed': ({ subject, text }) =>
    `Mudou o tipo do estágio ${called(subject)} de ${kindOf(text('from'))} para ${kindOf(text('to'))}`,
  'stage.removed': ({ subject }) => `Excluiu o estágio ${called(subject)}`,
  'stages.reordered': () => 'Mudou a ordem dos estágios',
} satisfies Record<string, DeedWords>

const CAMPAIGNS = {
  'campaign.planned': ({ subject }) => `Agendou uma campanha de ${subject}`,
  'campaign.started': ({ subject }) => `Iniciou uma campanha de ${subject}`,
  'campaign.paused': ({ subject }) => `Pausou a campanha de ${subject}`,
  'campaign.resumed': ({ subject }) => `Retomou a campanha de ${subject}`,
  'campaign.stopped': ({ subject }) => `Parou a campanha de ${subject}`,
  'campaign.completed': ({ subject }) => `Concluiu a campanha de ${subject}`,
  'campaign.failed': ({ subject }) => `Encerrou com erro a campanha de ${subject}`,
} satisfies Record<string, DeedWords>

const modeOf = (mode: string) =>
  MODE_LABEL[AGENT_MODES.find((known) => known === mode) ?? 'off'].toLowerCase()

const UNTESTED = ', sem testes'
const failedTests = (failed: unknown) =>
  Number(failed ?? 0) > 0 ? `, com ${countOf(Number(failed), 'teste falhando', 'testes falhando')}` : ''

const AGENTS = {
  'agent.added': ({ subject }) => `Adicionou o agente ${called(subject)}`,
  'agent.changed': ({ subject, details }) =>
    `Alterou o agente ${called(subject)}: ${listOf(details['fields'], AGENT_FIELDS)}${details['untested'] === true ? UNTESTED : ''}`,
  'agent.published': ({ subject, details }) => {
    const failed = details['failed'] === null ? UNTESTED : failedTests(details['failed'])
    return `Publicou textos do agente ${called(subject)}: ${listOf(details['fields'], AGENT_FIELDS)}${failed}`
  },
  'agent.paused': ({ subject }) => `Pausou o agente ${called(subject)}`,
  'agent.resumed': ({ subject }) => `Retomou o agente ${called(subject)}`,
  'agent.mode': ({ subject, text, details }) => {
    const how = `de ${modeOf(text('from'))} para ${modeOf(text('to'))}`
    return `Mudou como o agente ${called(subject)} atende: ${how}${failedTests(details['failed'])}`
  },
  'agent.given-back': ({ subject }) => `Devolveu uma conversa ao agente ${called(subject)}`,
  'agent.limit': ({ subject }) => `Mudou o limite de gasto do agente ${called(subject)}`,
  'agent.brake': ({ subject, details }) =>
    `Mudou o freio do agente ${called(subject)}: ${Number(details['inTenMinutes'])} respostas em 10 minutos, ${Number(details['aDay'])} por dia`,
  'agent.follows-up': ({ subject, details }) =>
    `${details['isOn'] === true ? 'Ligou' : 'Desligou'} as próximas tentativas do agente ${called(subject)}`,
  'agent.facts': ({ subject }) => `Alterou os fatos do agente ${called(subject)}`,
  'agent.cases': ({ subject }) => `Alterou os testes do agente ${called(subject)}`,
  'agent.price': ({ subject }) => `Alterou o preço do modelo ${called(subject)}`,
  'agent.removed': ({ subject }) => `Removeu o agente ${called(subject)}`,
} satisfies Record<string, DeedWords>

const namesOf = (value: unknown) =>
  listOf((Array.isArray(value) ? value : []).map((each) => displayName(textOf(each))))

/** For example ': entrou Camila; mudou o tempo para aceitar'. Empty for older entries, which have no such details. */
function rotationChanges({ added, removed, ruled, settings, isReordered }: Details): string {
  const parts = [
    ['incluiu', namesOf(added)],
    ['retirou', namesOf(removed)],
    ['mudou as regras de', namesOf(ruled)],
    ['mudou', listOf(settings, ROTATION_RULES)],
    ['mudou', isReordered === true ? 'a ordem da fila' : ''],
  ].flatMap(([deed, what]) => (what ? `${deed} ${what}` : []))
  return parts.length === 0 ? '' : `: ${parts.join('; ')}`
}

const ROTATIONS = {
  'roleta.added': ({ subject }) => `Criou a roleta ${called(subject)}`,
  'roleta.renamed': ({ subject, text }) => `Renomeou a roleta ${called(subject)} para ${called(text('to'))}`,
  'roleta.switched': ({ subject, details }) =>
    `${details['on'] === true ? 'Ativou' : 'Desativou'} a roleta ${called(subject)}`,
  'roleta.changed': ({ subject, details }) =>
    `Alterou a roleta ${called(subject)}${rotationChanges(details)}`,
  'roleta.inbox-sent': ({ subject, count }) =>
    `Mandou distribuir ${countOf(count, 'lead', 'leads')} da caixa de entrada pela roleta ${called(subject)}`,
  'gateway.changed': ({ subject }) => `Ligou o serviço de WhatsApp em ${called(subject)}`,
  'gateway.chosen': ({ subject }) => `Escolheu ${called(subject)} para novas conexões de WhatsApp`,
  'gateway.move-begun': ({ subject, text }) =>
    `Começou a mudar o WhatsApp de ${subject} para ${called(text('to'))}`,
  'gateway.moved': ({ subject, text }) => `O WhatsApp de ${subject} mudou para ${called(text('to'))}`,
  'gateway.move-ended': ({ subject }) => `Desistiu de mudar o WhatsApp de ${subject}`,
  'target.changed': ({ details }) =>
    `Mudou a meta da primeira resposta para ${Number(details['minutes'] ?? 0)} min`,
  'central.switched': ({ subject, details }) =>
    details['on'] === true
      ? `Tornou central o número de ${subject}`
      : `Devolveu a ${subject} o número central`,
  'roleta.removed': ({ subject }) => `Removeu a roleta ${called(subject)}`,
} satisfies Record<string, DeedWords>

const SETTINGS = {
  'settings.changed': ({ subject, details, text }) =>
    `Mudou ${SETTING_NAMES[subject] ?? `a configuração ${subject}`}` +
    ('to' in details ? ` de ${text('from')} para ${text('to')}` : ''),
  'export.done': ({ subject, count }) =>
    `Exportou ${EXPORTED.get(subject) ?? subject}: ${countOf(count, 'linha', 'linhas')}`,
  'backup.restored': ({ text }) => `Restaurou o backup de ${formatDateTime(Date.parse(text('madeAt')))}`,
} satisfies Record<string, DeedWords>

const DEVELOPMENTS = {
  'development.made': ({ subject }) => `Criou o empreendimento ${called(subject)}`,
  'development.changed': ({ subject }) => `Mudou o empreendimento ${called(subject)}`,
  'development.archived': ({ subject }) => `Arquivou o empreendimento ${called(subject)}`,
  'development.returned': ({ subject }) => `Tirou do arquivo o empreendimento ${called(subject)}`,
  'feed.changed': ({ details }) =>
    details['hourly'] === true ? 'Ligou a leitura do feed de hora em hora' : 'Mudou o feed de imóveis',
  'feed.applied': ({ count }) => `Aplicou ${countOf(count, 'mudança', 'mudanças')} do feed de imóveis`,
  'listing.edited': ({ subject }) => `Editou à mão o imóvel ${called(subject)} do feed`,
  'feed-out.renewed': () => 'Criou um endereço novo do feed para portais',
  'feed-out.ended': () => 'Encerrou o feed para portais',
  'page.published': ({ subject }) => `Publicou a página /i/${subject}`,
  'page.withdrawn': ({ subject }) => `Tirou do ar a página /i/${subject}`,
  'development.bound': ({ subject, text }) =>
    `Disse que ${called(text('text'))} é o empreendimento ${called(subject)}`,
} satisfies Record<string, DeedWords>

/** The areas by which the screen filters, in its order. */
export const AUDIT_AREAS = [
  { area: 'access', label: 'Acessos', deeds: ACCESS },
  { area: 'integrations', label: 'Integrações', deeds: INTEGRATIONS },
  { area: 'admins', label: 'Administradores', deeds: ADMINS },
  { area: 'brokers', label: 'Corretores', deeds: BROKERS },
  { area: 'teams', label: 'Equipes', deeds: TEAMS },
  { area: 'leads', label: 'Leads', deeds: LEADS },
  { area: 'stages', label: 'Estágios', deeds: STAGES },
  { area: 'campaigns', label: 'Campanhas', deeds: CAMPAIGNS },
  { area: 'agents', label: 'Agentes', deeds: AGENTS },
  { area: 'roletas', label: 'Roletas', deeds: ROTATIONS },
  { area: 'empreendimentos', label: 'Empreendimentos', deeds: DEVELOPMENTS },
  { area: 'settings', label: 'Configurações e exportações', deeds: SETTINGS },
] as const satisfies readonly { area: string; label: string; deeds: Record<string, DeedWords> }[]
