// A Vite plugin: leaves out of react-dom what the app has no use for, so that the sign-in page stays small: taking over a page that
// a server rendered, view transitions and form actions of React's own, custom elements, and resources hoisted into the head. Nothing
// here makes one; what makes one all the same is told by an error, not by a page that is half right.

const MODULE = /\/react-dom\/cjs\/react-dom-client\.production\.js$/

/** Asked of every tree, and what each answers where there is no such element. */
const ANSWERS = {
  commitExitViewTransitions: '',
  commitNestedViewTransitions: '',
  getParentHydrationBoundary: 'return null',
  isHostHoistableType: 'return false',
  popHydrationState: 'return false',
  restoreEnterOrExitViewTransitions: '',
  restoreNestedViewTransitions: '',
  trackEnterViewTransitions: '',
}
/** Asked of such an element alone. The error tells which by its place here: the names would be 0.3 kB. */
const UNUSED = [
  'acquireResource',
  'applyViewTransitionToHostInstances',
  'attemptExplicitHydrationTarget',
  'canHydrateHydrationBoundary',
  'canHydrateInstance',
  'canHydrateTextInstance',
  'clearHydrationBoundary',
  'commitAfterMutationEffectsOnFiber',
  'commitEnterViewTransitions',
  'createFiberFromDehydratedFragment',
  'createHoistableInstance',
  'createViewTransitionInstance',
  'getHydratableHoistableCache',
  'getNextHydratable',
  'getResource',
  'hideOrUnhideDehydratedBoundary',
  'insertSuspendedStylesheets',
  'mountHoistable',
  'mountHostRootWithoutHydrating',
  'preconnectAs',
  'preinitModuleScript',
  'preinitScript',
  'preinitStyle',
  'preload',
  'preloadModule',
  'preloadResourceAndSuspendIfNeeded',
  'prepareToHydrateHostInstance',
  'restoreViewTransitionOnHostInstances',
  'scheduleViewTransitionEvent',
  'setPropOnCustomElement',
  'startHostTransition',
  'startViewTransition',
  'suspendResource',
  'throwOnHydrationMismatch',
  'updateDehydratedSuspenseComponent',
]
const HYDRATE_ROOT = /^exports\.hydrateRoot = function[^]*?^\};$/m
/** Read, not written, and no parameter of that name. */
const IS_HYDRATING = /(?<![\w$.])isHydrating(?![\w$])(?! =|\n\))/g
const SET_HYDRATING = /(?<![\w$.])isHydrating = !0/g

/** @returns {import('vite').Plugin} */
export const leanReact = () => ({
  name: 'lean-react',
  apply: 'build',
  transform(code, id) {
    if (!MODULE.test(id)) return null
    let lean = cut(code, HYDRATE_ROOT, '')
    for (const [name, answer] of Object.entries(ANSWERS)) lean = answering(lean, name, answer)
    for (const [index, name] of UNUSED.entries())
      lean = answering(lean, name, `throw Error('left out of react-dom: ${index}')`)
    lean = cut(cut(lean, IS_HYDRATING, 'false'), SET_HYDRATING, 'false')
    return { code: lean, map: null }
  },
})

/** @param {string} code @param {string} name of a function @param {string} body */
const answering = (code, name, body) =>
  cut(code, new RegExp(`^function ${name}\\([^]*?^\\}$`, 'm'), `function ${name}() {${body}}`)

/** @param {string} code @param {RegExp} what @param {string} by */
function cut(code, what, by) {
  if (code.search(what) < 0) throw new Error(`react-dom no longer has what is left out of it: ${what.source}`)
  return code.replace(what, by)
}
