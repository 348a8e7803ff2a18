// Lists further phone numbers of a lead. They can be called or copied; the portal sends nothing to them.
import { Copy, Phone } from 'lucide-react'
import { digitsOf, formatPhone } from '#domain/phone/phone.ts'
import { copyText } from '#ui/clipboard.ts'
import { toast } from '#ui/feedback/toast.ts'
import { Icon } from '#ui/primitives/icon.tsx'
import { CALL, COPY, COPY_FAILED, NUMBER_COPIED } from '../ground/texts.ts'

const FURTHER_NUMBERS = 'Outros telefones'

const copy = async (text: string) => {
  if (await copyText(text)) toast(NUMBER_COPIED, 'success')
  else toast(COPY_FAILED, 'error')
}

export function LeadNumbers({ numbers }: { numbers: readonly string[] }) {
  if (numbers.length === 0) return null
  return (
    <section className="border-t border-border py-3">
      <h3 className="text-13 font-regular text-text-3">{FURTHER_NUMBERS}</h3>
      <ul>
        {numbers.map((number) => {
          const text = formatPhone(number)
          return (
            <li key={number} className="flex min-h-11 items-center gap-1">
              <span className="min-w-0 grow text-16 wrap-anywhere tabular-nums">{text}</span>
              <a href={`tel:+${digitsOf(number)}`} aria-label={`${CALL} ${text}`} className={ACTION}>
                <Icon of={Phone} size={20} />
              </a>
              <button
                type="button"
                aria-label={`${COPY} ${text}`}
                onClick={() => void copy(text)}
                className={ACTION}
              >
                <Icon of={Copy} size={20} />
              </button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

const ACTION =
  'flex size-11 shrink-0 items-center justify-center rounded-full text-primary hover:bg-surface-3'
