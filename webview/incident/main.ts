import '../page.css';
import './controls.css';
import './incident.css';
import { startIncidentPage } from './incidentPage.ts';

const stop = startIncidentPage(document.body, acquireVsCodeApi());
window.addEventListener('pagehide', stop, { once: true });
