// The card of conditions, with the group of comparison. A lead must match each row; one chip of a row is enough.
import { type ReactNode, useState } from 'react'
import { countOf } from '#domain/count.ts'
import { formatValue, readValue } from '#domain/lead/fields.ts'
import { sourceLabel } from '#domain/lead/source.ts'
import {
  FEWEST_TO_COMPARE,
  SEGMENT_CONTACT,
  SEGMENT_VISIT,
  SHARES,
  type SegmentContact,
  type SegmentQuestion,
  type SegmentVisit,
  trimQuestion,
} from '#domain/segment.ts'
import { Switch } from '#ui/forms/switch.tsx'
import { Chips, ConditionRow, SmallField, WithoutChips } from './condition-row.tsx'
import type { SegmentCount, SegmentOffer } from './segment-data.ts'
import type { DraftHandle } from './use-segment-draft.ts'

const choicesOf = <K extends string>(words: Readonly<Record<K, string>>) =>
  (Object.keys(words) as K[]).map((value) => ({ value, label: words[value] }))
const asChoices = (values: readonly string[], label: (value: string) => string = String) =>
  values.map((value) => ({ value, label: label(value) }))

type ConditionsProps = {
  handle: DraftHandle
  offer: SegmentOffer
  head: ReactNode
  count: SegmentCount | undefined
}

export function Conditions({ handle, offer, head, count }: ConditionsProps) {
  const { question } = handle.draft
  const set = (part: Partial<SegmentQuestion>) =>
    handle.change({ question: trimQuestion({ ...question, ...part }) })
  return (
    <section aria-label="Para quem" className="min-w-0 overflow-hidden rounded-lg bg-surface shadow-card">
      {head}
      <ConditionRow label="Estágio">
        <Chips choices={offer.stages} chosen={question.stages ?? []} onChange={(stages) => set({ stages })} />
      </ConditionRow>
      {offer.developments.length > 0 && (
        <ConditionRow label="Empreendimento">
          <Chips
            choices={offer.developments}
            chosen={question.developments ?? []}
            onChange={(developments) => set({ developments })}
          />
        </ConditionRow>
      )}
      <ConditionRow label="Origem">
        <Chips
          choices={asChoices(offer.sources, sourceLabel)}
          chosen={question.sources ?? []}
          onChange={(sources) => set({ sources })}
        />
        <p className="w-full text-13 text-text-3">Nada marcado vale para todas.</p>
      </ConditionRow>
      {(offer.tags.length > 0 || question.tags || question.withoutTags) && (
        <ConditionRow label="Etiquetas">
          <Chips
            choices={asChoices(offer.tags)}
            chosen={question.tags ?? []}
            onChange={(tags) => set({ tags })}
          />
          <WithoutChips
            tags={offer.tags}
            chosen={question.withoutTags ?? []}
            onChange={(withoutTags) => set({ withoutTags })}
          />
        </ConditionRow>
      )}
      <ConditionRow label="Última conversa">
        <Quiet
          days={question.quietDays}
          onDays={(quietDays) => set({ quietDays } as Partial<SegmentQuestion>)}
        />
        <Chips<SegmentContact>
          choices={choicesOf(SEGMENT_CONTACT)}
          chosen={question.contact ?? []}
          onChange={(contact) => set({ contact })}
        />
      </ConditionRow>
      <ConditionRow label="Visita">
        <Chips<SegmentVisit>
          choices={choicesOf(SEGMENT_VISIT)}
          chosen={question.visit ?? []}
          onChange={(visit) => set({ visit })}
        />
      </ConditionRow>
      <Value question={question} onChange={set} />
      <Comparison handle={handle} count={count} />
    </section>
  )
}

function Quiet({ days, onDays }: { days: number | undefined; onDays: (days: number | undefined) => void }) {
  const [typed, setTyped] = useState<string | null>(null)
  const text = typed ?? String(days ?? '')
  const isGood =
    /^\d*$/.test(text.trim()) && (text.trim() === '' || (Number(text) >= 1 && Number(text) <= 3650))
  return (
    <>
      <span className="text-14 text-text-2">há mais de</span>
      <SmallField
        label="Dias sem conversa"
        value={text}
        width="w-18 text-center"
        error={isGood ? null : 'De 1 a 3.650 dias.'}
        onChange={(next) => {
          const isNumber = /^\d{1,4}$/.test(next.trim()) && Number(next) >= 1 && Number(next) <= 3650
          setTyped(isNumber ? null : next)
          onDays(isNumber ? Number(next) : undefined)
        }}
      />
      <span className="pr-4 text-14 text-text-2">dias</span>
    </>
  )
}

type ValueProps = { question: SegmentQuestion; onChange: (part: Partial<SegmentQuestion>) => void }

function Value({ question, onChange }: ValueProps) {
  const { minCents, maxCents, withoutValue } = question
  const isTurned = minCents !== undefined && maxCents !== undefined && minCents > maxCents
  const set = (part: { minCents?: number | undefined; maxCents?: number | undefined }) =>
    // Leads without a value are included until the user turns the switch off.
    onChange({ withoutValue: withoutValue ?? true, ...part } as Partial<SegmentQuestion>)
  return (
    <ConditionRow label="Valor">
      <Reais label="Valor mínimo" cents={minCents} onCents={(cents) => set({ minCents: cents })} />
      <span className="text-14 text-text-2">até</span>
      <Reais
        label="Valor máximo"
        cents={maxCents}
        error={isTurned ? 'O mínimo passa do máximo.' : null}
        onCents={(cents) => set({ maxCents: cents })}
      />
      {(minCents !== undefined || maxCents !== undefined) && (
        <span className="-mx-4 *:flex-row-reverse max-lg:w-full lg:ml-2">
          <Switch
            label="Incluir quem não tem valor"
            isOn={withoutValue ?? false}
            onChange={(isOn) => onChange({ withoutValue: isOn })}
          />
        </span>
      )}
    </ConditionRow>
  )
}

type ReaisProps = {
  label: string
  cents: number | undefined
  error?: string | null
  onCents: (cents: number | undefined) => void
}

/** Formats the typed amount when the field loses the focus. */
function Reais({ label, cents, error = null, onCents }: ReaisProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const isBad = typed !== null && typed.trim() !== '' && readValue(typed) === null
  return (
    <span
      className="contents"
      onBlur={() => {
        if (!isBad) setTyped(null)
      }}
    >
      <SmallField
        label={label}
        value={typed ?? (cents === undefined ? '' : formatValue(cents))}
        placeholder="R$"
        width="w-36 max-[40rem]:w-28"
        error={isBad ? 'Um valor como 350 mil.' : error}
        onChange={(next) => {
          setTyped(next)
          onCents(readValue(next) ?? undefined)
        }}
      />
    </span>
  )
}

function Comparison({ handle, count }: { handle: DraftHandle; count: SegmentCount | undefined }) {
  const { percent, isCompared } = handle.draft
  const isFew = count !== undefined && count.eligible < FEWEST_TO_COMPARE
  const isOn = isCompared && !isFew
  return (
    <fieldset
      aria-label="Grupo de comparação"
      className="grid gap-2 border-t border-border bg-surface-2 px-4 py-3.5 lg:grid-cols-[10rem_minmax(0,1fr)] lg:px-5"
    >
      <span className="text-15 font-medium lg:pt-4">Grupo de comparação</span>
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-x-3">
          <span className="-mx-4 min-w-0 *:flex-row-reverse *:font-semibold max-lg:w-full">
            <Switch
              label={`Deixar ${percent}% de fora, por sorteio`}
              isOn={isOn}
              isDisabled={isFew}
              onChange={(next) => handle.change({ isCompared: next })}
            />
          </span>
          {isOn && (
            <select
              aria-label="Quantos por cento ficam de fora"
              value={percent}
              onChange={({ target }) => handle.change({ percent: Number(target.value) })}
              className="min-h-11 rounded-ctl bg-surface px-3 text-16 shadow-input outline-none focus-visible:shadow-input-focus lg:text-14 pointer-fine:min-h-9"
            >
              {SHARES.map((share) => (
                <option key={share} value={share}>{`${share}%`}</option>
              ))}
            </select>
          )}
        </div>
        <p className="text-13 leading-snug text-text-2">
          {isFew
            ? 'Poucos contatos para comparar.'
            : isOn
              ? `${count ? `${countOf(count.heldOut, 'sorteado não recebe', 'sorteados não recebem')}. ` : ''}No fim, comparamos os dois grupos: assim se vê o que a campanha trouxe, e não o que viria de qualquer jeito.`
              : 'Sem ele, não há como saber o que viria de qualquer jeito.'}
        </p>
      </div>
    </fieldset>
  )
}
