// Texts that several parts of 'Equipes' share.
import { countOf } from '#domain/count.ts'

export const TEAMS = 'Equipes'
export const NEW_TEAM = 'Nova equipe'
export const NO_TEAM = 'Sem equipe'
export const NO_MANAGER = 'Sem gerente'

/** For example '4 corretores · 1.104 leads'. */
export const sizeOf = (brokers: readonly { leads: number }[]) =>
  [
    countOf(brokers.length, 'corretor', 'corretores'),
    countOf(
      brokers.reduce((sum, { leads }) => sum + leads, 0),
      'lead',
      'leads',
    ),
  ].join(' · ')
