// Values of the templates' slots in a scene: who speaks, to whom, about which plan of which development.
import type { Speaker } from '../leads/beats.ts'
import type { DemoBroker, Gender } from '../agency/brokers.ts'
import type { Calendar } from '../calendar.ts'
import type { Development } from '../agency/developments.ts'
import type { Visit } from '../leads/reply-times.ts'
import type { DemoPerson } from '../leads/people.ts'
import type { Random } from '../random.ts'
import { PROBES } from './broker-messages.ts'
import type { Slots } from './fill.ts'

export type Scene = {
  person: DemoPerson
  broker: DemoBroker
  development: Development
  plan: Development['plans'][number]
  source: string
  assistant: string | null
}

export type Utterance = { at: number; by: Speaker; visit: Visit | null }

const SEEN_AT: Record<string, string> = {
  instagram: 'no Instagram',
  facebook: 'no Facebook',
  google: 'no Google',
  'midia-fisica': 'na placa da avenida',
  site: 'no site de vocês',
}
const NUMBER = new Intl.NumberFormat('pt-BR')
const ON_WEEKDAY = ['no domingo', 'na segunda', 'na terça', 'na quarta', 'na quinta', 'na sexta', 'no sábado']

/** Values that stay the same throughout a scene. */
export function sceneSlots({ person, broker, development, plan, source, assistant }: Scene): Slots {
  const partner = person.gender === 'f' ? 'meu marido' : 'minha esposa'
  return {
    nome: person.firstName ?? '',
    ',nome': person.firstName ? `, ${person.firstName}` : '',
    nome_ou_oi: person.firstName ?? 'Oi',
    art_lead: articleOf(person.gender),
    corretor: broker.name,
    art_corretor: articleOf(broker.gender),
    profissao: broker.gender === 'f' ? 'corretora' : 'corretor',
    assistente: assistant ?? '',
    parente: partner,
    parente_cap: capital(partner),
    onde: SEEN_AT[source] ?? 'na internet',
    dev: development.name,
    art: articleOf(development.gender),
    do: `d${articleOf(development.gender)}`,
    no: `n${articleOf(development.gender)}`,
    lugar: development.place,
    lazer: development.leisure,
    prazo: development.delivery,
    condominio: `R$ ${development.condominium}`,
    ...planSlots(plan),
  }
}

/** Values that depend on the speaker and the moment. */
export function momentSlots(
  { person, broker }: Scene,
  { at, by, visit }: Utterance,
  { calendar, random }: { calendar: Calendar; random: Random },
): Slots {
  const greeting = greetingAt(at, calendar)
  return {
    ola: random.pick(['Oi', 'Olá', greeting, greeting]),
    o: articleOf(by === 'agent' ? 'f' : by === 'lead' ? person.gender : broker.gender),
    sondagem: random.pick(PROBES),
    ...(visit && visitSlots(visit, calendar)),
  }
}

export function greetingAt(at: number, calendar: Calendar): string {
  const hour = calendar.hourOf(at)
  if (hour >= 5 && hour < 12) return 'Bom dia'
  return hour >= 12 && hour < 18 ? 'Boa tarde' : 'Boa noite'
}

function planSlots({ rooms, size, price, parking }: Development['plans'][number]): Slots {
  return {
    quartos: rooms === 1 ? '1 quarto' : `${rooms} quartos`,
    metros: `${size} m²`,
    vagas: parking === 1 ? '1 vaga coberta' : `${parking} vagas cobertas`,
    preco: thousands(price),
    contra: thousands(Math.round((price * 0.965) / 5) * 5),
    entrada: thousands(Math.round(price * 0.15)),
    parcela: reais(price * 8),
    aluguel: reais(price * 4.6),
  }
}

function visitSlots({ at, otherHour }: Visit, calendar: Calendar): Slots {
  const hour = calendar.hourOf(at)
  const day = ON_WEEKDAY[calendar.weekdayOf(at)] ?? ''
  return {
    dia: day,
    dia_cap: capital(day),
    hora: `${Math.floor(hour)}h${hour % 1 === 0 ? '' : '30'}`,
    hora2: `${otherHour}h`,
  }
}

const articleOf = (gender: Gender) => (gender === 'f' ? 'a' : 'o')
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
const thousands = (price: number) =>
  price < 1000 ? `R$ ${price} mil` : `R$ ${NUMBER.format(price / 1000)} milhão`
const reais = (price: number) => `R$ ${NUMBER.format(Math.round(price / 10) * 10)}`
