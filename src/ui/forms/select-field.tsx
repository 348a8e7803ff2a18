// A labelled native select.
import { ChevronDown } from 'lucide-react'
import { type SelectHTMLAttributes, useId } from 'react'
import { Icon } from '../primitives/icon.tsx'

type SelectFieldProps = Omit<SelectHTMLAttributes<HTMLSelectElement>, 'className' | 'id'> & { label: string }

/** 16 px on phones, because iOS zooms into fields with smaller text. */
export function SelectField({ label, ...select }: SelectFieldProps) {
  const id = useId()
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <label htmlFor={id} className="text-14 font-medium">
        {label}
      </label>
      <span className="relative">
        <select
          {...select}
          id={id}
          className="min-h-13 w-full min-w-0 appearance-none truncate rounded-md bg-surface pr-10 pl-4 text-16 text-text shadow-input outline-none focus-visible:shadow-input-focus disabled:text-text-3 lg:min-h-11.5 lg:rounded-ctl lg:pl-3 lg:text-15"
        />
        <Icon
          of={ChevronDown}
          size={18}
          className="pointer-events-none absolute top-1/2 right-3 -translate-y-1/2 text-text-3"
        />
      </span>
    </div>
  )
}
