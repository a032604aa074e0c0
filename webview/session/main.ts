import '../page.css';
import '../picture.css';
import '../incident/controls.css';
import './session.css';
import { startSessionPage } from './sessionPage.ts';

const stop = startSessionPage(document.body, acquireVsCodeApi());
window.addEventListener('pagehide', stop, { once: true });
