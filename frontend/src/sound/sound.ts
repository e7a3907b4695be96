// Short wooden sounds made here from oscillators and noise; none tells what the page does not show.
import { choices } from '../settings/settings.svelte';

export type Sound =
  | 'pick' | 'place' | 'step' | 'run' | 'meet' | 'mine-falls' | 'theirs-falls' | 'both-fall' | 'bomb' | 'cleared'
  | 'refused' | 'turn' | 'offer' | 'low' | 'win' | 'loss' | 'draw';

let context: AudioContext | null = null;
let noise: AudioBuffer | null = null;

/** Browsers let a page sound only after a touch or a key. */
export function wake(): void {
  if (!choices.sound || typeof AudioContext === 'undefined') return;
  context ??= new AudioContext();
  if (context.state === 'suspended') void context.resume();
}

function output(audio: AudioContext, at: number, gain: number, seconds: number): GainNode {
  const node = audio.createGain();
  node.gain.setValueAtTime(gain * choices.volume, at);
  node.gain.exponentialRampToValueAtTime(0.0001, at + seconds);
  node.connect(audio.destination);
  return node;
}

/** A struck piece of wood: a falling tone under a click of noise. */
function knock(hertz: number, delay = 0, seconds = 0.09, gain = 0.5): void {
  const audio = context;
  if (!audio) return;
  const at = audio.currentTime + delay;
  const tone = audio.createOscillator();
  tone.type = 'triangle';
  tone.frequency.setValueAtTime(hertz * 1.6, at);
  tone.frequency.exponentialRampToValueAtTime(hertz, at + 0.03);
  tone.connect(output(audio, at, gain, seconds));
  tone.start(at);
  tone.stop(at + seconds);
  hiss(hertz * 4, delay, 0.03, gain * 0.35);
}

function hiss(hertz: number, delay: number, seconds: number, gain: number): void {
  const audio = context;
  if (!audio) return;
  if (!noise) {
    noise = audio.createBuffer(1, audio.sampleRate / 2, audio.sampleRate);
    const data = noise.getChannelData(0);
    let seed = 1;
    for (let i = 0; i < data.length; i++) {
      seed = (seed * 16807) % 2147483647;
      data[i] = seed / 1073741823 - 1;
    }
  }
  const at = audio.currentTime + delay;
  const source = audio.createBufferSource();
  source.buffer = noise;
  const band = audio.createBiquadFilter();
  band.type = 'bandpass';
  band.frequency.value = hertz;
  source.connect(band).connect(output(audio, at, gain, seconds));
  source.start(at, 0, seconds);
}

function tone(hertz: number, delay: number, seconds: number, gain = 0.25): void {
  const audio = context;
  if (!audio) return;
  const at = audio.currentTime + delay;
  const voice = audio.createOscillator();
  voice.type = 'sine';
  voice.frequency.value = hertz;
  voice.connect(output(audio, at, gain, seconds));
  voice.start(at);
  voice.stop(at + seconds);
}

const SCORE: Record<Sound, () => void> = {
  pick: () => knock(520, 0, 0.05, 0.25),
  place: () => knock(300, 0, 0.09),
  step: () => knock(250, 0, 0.1),
  run: () => [0, 0.06, 0.12].forEach((delay) => knock(270, delay, 0.06, 0.35)),
  meet: () => { knock(210, 0, 0.12, 0.6); knock(180, 0.14, 0.14, 0.5); },
  'mine-falls': () => { knock(200, 0, 0.1); knock(130, 0.12, 0.24, 0.6); },
  'theirs-falls': () => { knock(200, 0, 0.1); knock(330, 0.12, 0.16, 0.5); },
  'both-fall': () => { knock(190, 0, 0.12); knock(140, 0.14, 0.2, 0.5); knock(125, 0.18, 0.22, 0.5); },
  bomb: () => { hiss(160, 0, 0.38, 1.4); knock(70, 0, 0.34, 0.8); },
  cleared: () => { knock(420, 0, 0.06, 0.4); knock(420, 0.09, 0.06, 0.4); knock(560, 0.18, 0.12, 0.4); },
  refused: () => { knock(110, 0, 0.12, 0.5); knock(98, 0.09, 0.12, 0.4); },
  turn: () => knock(640, 0, 0.07, 0.2),
  offer: () => { tone(523, 0, 0.16); tone(659, 0.14, 0.22); },
  low: () => knock(880, 0, 0.05, 0.25),
  win: () => [392, 494, 587, 784].forEach((hertz, at) => tone(hertz, at * 0.12, 0.24)),
  loss: () => [392, 330, 262].forEach((hertz, at) => tone(hertz, at * 0.16, 0.28)),
  draw: () => [392, 392].forEach((hertz, at) => tone(hertz, at * 0.2, 0.3)),
};

export function play(sound: Sound): void {
  if (!choices.sound || choices.volume <= 0 || context?.state !== 'running') return;
  SCORE[sound]();
}
