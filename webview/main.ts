import './page.css';
import './menu.css';
import './cards.css';
import './cycle.css';
import './picture.css';
import './table.css';
import './timeline.css';
import './timeBar.css';
import { registerComponents } from './components.ts';
import { startPage } from './startPage.ts';

registerComponents();
const stop = startPage(document.body, acquireVsCodeApi());
window.addEventListener('pagehide', stop, { once: true });
