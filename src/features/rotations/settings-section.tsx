// Edits a rotation's rules: whether and how fast a broker accepts and answers, when all brokers may take a lead, its
// team, and its code in links.
import { useQuery } from '@tanstack/react-query'
import { useIsAdmin } from '#data/is-admin.ts'
import { readTextCode, type RotationSettings } from '#domain/rotation/editing.ts'
import { Badge } from '#ui/primitives/badge.tsx'
import { Collapsible } from '#ui/primitives/collapsible.tsx'
import { HintedField } from '#ui/forms/hinted-field.tsx'
import { Switch } from '#ui/forms/switch.tsx'
import { ChoiceField } from './choice-field.tsx'
import { teamNamesQuery } from './data.ts'
import { minutesText } from './texts.ts'
import type { RotationDraft } from './use-rotation-draft.ts'
import { withStanding } from './number-choices.ts'

const SETTINGS = 'Distribuição'

const ACCEPT_CHOICES = [1, 2, 3, 5, 10, 15, 20, 30, 60, 120]
const ANSWER_CHOICES = [5, 10, 15, 30, 60, 120, 240, 480, 1_440, 2_880]
const TARGET_CHOICES = [5, 10, 15, 30, 60, 120]
const HOP_CHOICES = [1, 2, 3, 4, 5, 6, 8, 10]
const NONE = ''

type SettingsSectionProps = { draft: RotationDraft; isOff: boolean }

export function SettingsSection({ draft, isOff }: SettingsSectionProps) {
  const { settings } = draft.plan
  const change = (part: Partial<RotationSettings>) => draft.change({ settings: { ...settings, ...part } })
  const { needsAcceptance, listerFirst = false, acceptMinutes, answerMinutes } = settings
  const { targetMinutes = null, maxHops, teamId = null } = settings
  return (
    <Collapsible
      title={SETTINGS}
      badge={needsAcceptance && <Badge tone="info">Aceite em {minutesText(acceptMinutes)}</Badge>}
    >
      <fieldset disabled={isOff} className="flex flex-col gap-4 px-5 pb-5">
        <legend className="sr-only">{SETTINGS}</legend>
        <div className="-mx-4">
          <Switch
            label="O corretor precisa aceitar o lead"
            hint="Ele recebe um aviso com nome e empreendimento. Se passar ou não aceitar a tempo, o lead vai ao próximo."
            isOn={needsAcceptance}
            isDisabled={isOff}
            onChange={(isOn) => change({ needsAcceptance: isOn })}
          />
          <Switch
            label="O angariador recebe primeiro"
            hint="O lead de um imóvel do feed vai ao corretor que o angariou, se ele puder receber; se não, segue a roleta."
            isOn={listerFirst}
            isDisabled={isOff}
            onChange={(isOn) => change({ listerFirst: isOn })}
          />
        </div>
        <div className="grid grid-cols-[repeat(auto-fit,minmax(11rem,1fr))] gap-3">
          {needsAcceptance && (
            <ChoiceField
              label="Tempo para aceitar"
              choices={choicesOf(ACCEPT_CHOICES, acceptMinutes)}
              value={String(acceptMinutes)}
              onChange={(value) => change({ acceptMinutes: Number(value) })}
            />
          )}
          <ChoiceField
            label="Tempo para responder ao lead"
            choices={[{ value: NONE, label: 'Sem prazo' }, ...choicesOf(ANSWER_CHOICES, answerMinutes)]}
            value={answerMinutes === null ? NONE : String(answerMinutes)}
            onChange={(value) => change({ answerMinutes: value === NONE ? null : Number(value) })}
          />
          <ChoiceField
            label="Meta da primeira resposta"
            choices={[
              { value: NONE, label: 'A da imobiliária' },
              ...choicesOf(TARGET_CHOICES, targetMinutes),
            ]}
            value={targetMinutes === null ? NONE : String(targetMinutes)}
            onChange={(value) => change({ targetMinutes: value === NONE ? null : Number(value) })}
          />
          <ChoiceField
            label="Tentativas antes do bolsão"
            choices={withStanding(HOP_CHOICES, maxHops).map((hops) => ({
              value: String(hops),
              label: String(hops),
            }))}
            value={String(maxHops)}
            onChange={(value) => change({ maxHops: Number(value) })}
          />
          <TeamField teamId={teamId} onChange={(id) => change({ teamId: id })} />
        </div>
        <p className="-mt-2 text-13 text-text-3">
          Depois disso, qualquer corretor da roleta pode pegar o lead.
        </p>
        <CodeField draft={draft} />
      </fieldset>
    </Collapsible>
  )
}

const choicesOf = (choices: readonly number[], standing: number | null) =>
  withStanding(choices, standing).map((minutes) => ({ value: String(minutes), label: minutesText(minutes) }))

type TeamFieldProps = { teamId: string | null; onChange: (teamId: string | null) => void }

/** Shown only to administrators, and only if the agency has a team. */
function TeamField({ teamId, onChange }: TeamFieldProps) {
  const { data: teams = [] } = useQuery({ ...teamNamesQuery(), enabled: useIsAdmin() })
  if (teams.length === 0) return null
  return (
    <ChoiceField
      label="Equipe"
      choices={[
        { value: NONE, label: 'Só o administrador cuida' },
        ...teams.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      value={teamId ?? NONE}
      onChange={(value) => onChange(value === NONE ? null : value)}
    />
  )
}

function CodeField({ draft }: { draft: RotationDraft }) {
  const { settings } = draft.plan
  const isAdmin = useIsAdmin()
  return (
    <HintedField
      readOnly={!isAdmin}
      label="Código nos links de WhatsApp"
      hint="Quem escreve ao número central com este código no texto entra nesta roleta. De 2 a 20 letras e números."
      value={settings.textCode ?? ''}
      autoCapitalize="characters"
      autoComplete="off"
      spellCheck={false}
      error={draft.fault === 'code' && 'Use de 2 a 20 letras e números.'}
      onChange={({ target }) =>
        draft.change({ settings: { ...settings, textCode: readTextCode(target.value) } })
      }
    />
  )
}
