// The agency's logo, else the portal's own sign: what the page names as its icon, so that no script holds a drawing of it.
import { classNames } from './class-names.ts'

const icon = document.querySelector<HTMLLinkElement>('[sizes=any]')?.href

export function BrandMark({ className }: { className: string }) {
  return <img src={icon} alt="" className={classNames('shrink-0', className)} />
}
