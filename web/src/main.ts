import { mount } from 'svelte'
import App from './App.svelte'
import './app.css'
import { applyTheme } from './lib/theme.svelte'

applyTheme()
const target = document.getElementById('app')
if (!target) throw new Error('the document has no place for the page')
mount(App, { target })
