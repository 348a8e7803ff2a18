// The origin of a lead: pills over native radio buttons.
import { Check } from 'lucide-react'
import { HAND_SOURCES, type HandSource } from '#domain/lead/adding.ts'
import { Icon } from '#ui/primitives/icon.tsx'

const SOURCE_LABEL: Readonly<Record<HandSource, string>> = {
  plantao: 'Plantão',
  indicacao: 'Indicação',
  telefone: 'Telefone',
  placa: 'Placa',
  outro: 'Outro',
}

type SourceChoiceProps = { value: string; onChange: (value: HandSource) => void }

export function SourceChoice({ value, onChange }: SourceChoiceProps) {
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="pb-1.5 text-14 font-medium">De onde veio</legend>
      <div className="flex flex-wrap gap-2">
        {HAND_SOURCES.map((source) => (
          <label
            key={source}
            className="relative inline-flex min-h-11 items-center gap-2 rounded-full px-4 text-15 font-medium text-text-2 shadow-line transition-colors has-checked:bg-primary-soft has-checked:text-on-primary-soft has-checked:shadow-none has-focus-visible:shadow-input-focus pointer-fine:min-h-9"
          >
            <input
              type="radio"
              name="source"
              value={source}
              checked={source === value}
              onChange={() => onChange(source)}
              className="absolute inset-0 cursor-pointer appearance-none rounded-full outline-none"
            />
            {source === value && <Icon of={Check} size={16} />}
            {SOURCE_LABEL[source]}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
