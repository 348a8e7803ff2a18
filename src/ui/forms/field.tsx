// A field with its label and error text, and the inputs for it.
import { CircleAlert, Eye, EyeOff, type LucideIcon } from 'lucide-react'
import { type InputHTMLAttributes, type ReactNode, useId, useState } from 'react'
import { classNames } from '../primitives/class-names.ts'
import { IconButton } from '../primitives/button.tsx'
import { Icon } from '../primitives/icon.tsx'

const BOX =
  'flex min-h-13 w-full items-center gap-2.5 rounded-md bg-surface pl-4 shadow-input ' +
  'focus-within:shadow-input-focus lg:min-h-11.5 lg:rounded-ctl lg:pl-3'

export type TextFieldProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'className' | 'id'> & {
  label: string
  error?: ReactNode
  icon?: LucideIcon
  ref?: React.Ref<HTMLInputElement>
}

export function TextField({ label, error, icon, ...input }: TextFieldProps) {
  return (
    <Labelled label={label} error={error} hintId={input['aria-describedby']}>
      {(ids) => (
        <>
          {icon && <Icon of={icon} size={18} className="text-text-3" />}
          <Input {...input} {...ids} />
        </>
      )}
    </Labelled>
  )
}

export function PasswordField({ label, error, ...input }: Omit<TextFieldProps, 'icon' | 'type'>) {
  const [isShown, setShown] = useState(false)
  return (
    <Labelled label={label} error={error}>
      {(ids) => (
        <>
          <Input {...input} {...ids} type={isShown ? 'text' : 'password'} />
          <IconButton
            icon={isShown ? EyeOff : Eye}
            label={isShown ? 'Ocultar senha' : 'Mostrar senha'}
            onClick={() => setShown(!isShown)}
          />
        </>
      )}
    </Labelled>
  )
}

type FieldIds = { id: string; 'aria-invalid': boolean; 'aria-describedby': string | undefined }

type LabelledProps = Pick<TextFieldProps, 'label' | 'error'> & {
  hintId?: string | undefined
  children: (ids: FieldIds) => ReactNode
}

function Labelled(props: LabelledProps) {
  const id = useId()
  const hasError = Boolean(props.error)
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-14 font-medium">
        {props.label}
      </label>
      <div className={classNames(BOX, hasError && 'shadow-input-error')}>
        {props.children({
          id,
          'aria-invalid': hasError,
          'aria-describedby': classNames(hasError && `${id}-error`, props.hintId) || undefined,
        })}
      </div>
      <div id={`${id}-error`} role="alert" className="empty:hidden">
        {hasError && (
          <span className="flex gap-1.5 text-13 leading-snug text-danger">
            <Icon of={CircleAlert} size={16} />
            <span>{props.error}</span>
          </span>
        )}
      </div>
    </div>
  )
}

/** 16 px on phones, because iOS zooms into fields with smaller text. */
function Input(props: InputHTMLAttributes<HTMLInputElement> & { ref?: React.Ref<HTMLInputElement> }) {
  return (
    <input
      {...props}
      className="min-w-0 grow self-stretch rounded-md bg-transparent pr-4 text-16 shadow-none! outline-none placeholder:text-text-3 lg:text-15"
    />
  )
}
