// The agency's logo, or the portal's: the page's icon, so that no script contains a drawing.
import { classNames } from './class-names.ts'

const icon = document.querySelector<HTMLLinkElement>('[sizes=any]')?.href

export function BrandMark({ className }: { className: string }) {
  return <img src={icon} alt="" className={classNames('shrink-0', className)} />
}
