// The start of the page: words first, then everything else.
import { mount } from 'svelte';
import './look/tokens.css';
import './look/elements.css';
import './look/men.css';
import './look/board.css';
import './look/play.css';
import App from './App.svelte';
import { choices } from './settings/settings.svelte';
import { speak } from './text/text.svelte';

const asked = new URLSearchParams(location.search).get('lang');
const wishes = [asked, choices.language, ...navigator.languages].filter((one) => one !== null);

const target = document.getElementById('app');
if (target) void speak(wishes).then(() => mount(App, { target }));
