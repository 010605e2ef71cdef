// Dark or light, as the system has it until somebody chooses; and whether motion is wanted.

type Choice = 'system' | 'dark' | 'light'

const KEY = 'casinowar-theme'
const motion = matchMedia('(prefers-reduced-motion: reduce)')
const light = matchMedia('(prefers-color-scheme: light)')

function stored(): Choice {
  try {
    const found = localStorage.getItem(KEY)
    return found === 'dark' || found === 'light' ? found : 'system'
  } catch {
    return 'system'
  }
}

export const theme = $state<{ choice: Choice; isStill: boolean }>({ choice: stored(), isStill: motion.matches })

motion.addEventListener('change', () => {
  theme.isStill = motion.matches
})

export function chooseTheme(choice: Choice): void {
  theme.choice = choice
  try {
    if (choice === 'system') localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, choice)
  } catch {
    // Without storage the choice holds until the page is left.
  }
  applyTheme()
}

export function applyTheme(): void {
  const system = light.matches ? 'light' : 'dark'
  document.documentElement.dataset['theme'] = theme.choice === 'system' ? system : theme.choice
}

light.addEventListener('change', applyTheme)
