// Draws the picture that an iPhone shows while the installed app starts: the brand on the page's colour, in the size of
// this screen. An iPhone takes it from the page when the icon is added. The app draws it, because the agency sets its
// brand after the build, and a phone needs only one of a dozen sizes.
import { BRAND_ICON } from '#ui/primitives/brand-mark.tsx'

/** The logo's size as a share of the screen's shorter side. */
const MARK = 0.26

export async function addStartImage(): Promise<void> {
  if (BRAND_ICON === undefined || document.querySelector('[rel=apple-touch-startup-image]')) return
  const mark = new Image()
  mark.src = BRAND_ICON
  await mark.decode()
  const width = Math.min(screen.width, screen.height) * devicePixelRatio
  const height = Math.max(screen.width, screen.height) * devicePixelRatio
  const canvas = Object.assign(document.createElement('canvas'), { width, height })
  const pen = canvas.getContext('2d')
  if (!pen) return
  pen.fillStyle = getComputedStyle(document.body).backgroundColor
  pen.fillRect(0, 0, width, height)
  const side = Math.round(width * MARK)
  pen.drawImage(mark, (width - side) / 2, (height - side) / 2, side, side)
  const link = document.createElement('link')
  link.rel = 'apple-touch-startup-image'
  link.href = canvas.toDataURL('image/png')
  document.head.append(link)
}
