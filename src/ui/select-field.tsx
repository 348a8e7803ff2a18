// A labelled choice of one among few, by the platform's own list. DESIGN-SYSTEM 9.
import { type SelectHTMLAttributes, useId } from 'react'

type SelectFieldProps = Omit<SelectHTMLAttributes<HTMLSelectElement>, 'className' | 'id'> & { label: string }

/** 16 px on phones, or iOS zooms in. */
export function SelectField({ label, ...select }: SelectFieldProps) {
  const id = useId()
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-14 font-medium">
        {label}
      </label>
      <select
        {...select}
        id={id}
        className="min-h-13 w-full min-w-0 rounded-md bg-surface px-4 text-16 shadow-input lg:min-h-11.5 lg:rounded-ctl lg:px-3 lg:text-15"
      />
    </div>
  )
}
