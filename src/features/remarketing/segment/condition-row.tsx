// A row of the conditions with its label, and the chips that most rows have.
import { Check, Plus, X } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { Icon } from '#ui/primitives/icon.tsx'

/** 'mais n' shows the values beyond this number. */
const FIRST = 6

export function ConditionRow({ label, children }: { label: string; children: ReactNode }) {
  const id = useId()
  return (
    <fieldset
      aria-labelledby={id}
      className="grid gap-2 border-t border-border px-4 py-3.5 lg:grid-cols-[10rem_minmax(0,1fr)] lg:px-5"
    >
      <span id={id} className="text-15 font-medium lg:pt-2">
        {label}
      </span>
      <div className="flex min-w-0 flex-wrap items-center gap-2">{children}</div>
    </fieldset>
  )
}

const CHIP =
  'inline-flex min-h-11 max-w-full items-center gap-2 rounded-ctl px-3 text-14 font-medium transition-colors pointer-fine:min-h-9'

type ChipsProps<V> = {
  choices: readonly { value: V; label: string }[]
  chosen: readonly V[]
  onChange: (chosen: V[]) => void
}

/** Chips in the order of the choices. A chosen value that is no longer a choice stays until the user removes it. */
export function Chips<V extends string | number>({ choices, chosen, onChange }: ChipsProps<V>) {
  const [isWhole, setWhole] = useState(false)
  const gone = chosen.filter((value) => choices.every((choice) => choice.value !== value))
  const all = [...choices, ...gone.map((value) => ({ value, label: String(value) }))]
  const shown = isWhole ? all : all.filter(({ value }, index) => index < FIRST || chosen.includes(value))
  const toggle = (value: V) =>
    onChange(chosen.includes(value) ? chosen.filter((other) => other !== value) : [...chosen, value])
  return (
    <>
      {shown.map(({ value, label }) => (
        <button
          key={value}
          type="button"
          aria-pressed={chosen.includes(value)}
          onClick={() => toggle(value)}
          className={`${CHIP} bg-surface text-text-2 shadow-line hover:bg-surface-2 aria-pressed:bg-primary-soft aria-pressed:text-on-primary-soft aria-pressed:shadow-chosen`}
        >
          <Icon of={chosen.includes(value) ? Check : Plus} size={16} />
          <span className="min-w-0 truncate">{label}</span>
        </button>
      ))}
      {shown.length < all.length && (
        <button
          type="button"
          onClick={() => setWhole(true)}
          className={`${CHIP} text-primary shadow-line hover:bg-surface-2`}
        >
          {`mais ${all.length - shown.length}`}
        </button>
      )}
    </>
  )
}

type WithoutProps = {
  tags: readonly string[]
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}

/** Excludes leads with these tags. A native select adds a tag, because there can be a hundred. */
export function WithoutChips({ tags, chosen, onChange }: WithoutProps) {
  const others = tags.filter((tag) => !chosen.includes(tag))
  return (
    <>
      <span className="text-14 text-text-2">menos quem tem</span>
      {chosen.map((tag) => (
        <button
          key={tag}
          type="button"
          aria-label={`Não deixar de fora quem tem ${tag}`}
          onClick={() => onChange(chosen.filter((other) => other !== tag))}
          className={`${CHIP} bg-surface-3 text-text-2 hover:bg-surface-2`}
        >
          <Icon of={X} size={16} />
          <span className="min-w-0 truncate">{tag}</span>
        </button>
      ))}
      {others.length > 0 && (
        <select
          aria-label="Deixar de fora quem tem a etiqueta"
          value=""
          onChange={({ target }) => onChange([...chosen, target.value])}
          className={`${CHIP} max-w-40 truncate bg-surface text-primary shadow-line outline-none focus-visible:shadow-input-focus`}
        >
          <option value="">escolher…</option>
          {others.map((tag) => (
            <option key={tag}>{tag}</option>
          ))}
        </select>
      )}
    </>
  )
}

type SmallFieldProps = {
  label: string
  value: string
  placeholder?: string
  error?: string | null
  width: string
  onChange: (text: string) => void
}

/** A short field within a row. Only screen readers read its label. */
export function SmallField({ label, value, placeholder, error = null, width, onChange }: SmallFieldProps) {
  const id = useId()
  return (
    <>
      <input
        aria-label={label}
        aria-invalid={error !== null}
        aria-describedby={error === null ? undefined : id}
        value={value}
        placeholder={placeholder}
        inputMode="decimal"
        autoComplete="off"
        onChange={({ target }) => onChange(target.value)}
        className={`min-h-11 rounded-ctl bg-surface px-3 text-16 tabular-nums outline-none placeholder:text-text-3 focus-visible:shadow-input-focus lg:text-14 pointer-fine:min-h-9 ${width} ${error === null ? 'shadow-input' : 'shadow-input-error'}`}
      />
      {error !== null && (
        <span id={id} role="alert" className="text-13 text-danger">
          {error}
        </span>
      )}
    </>
  )
}
